import { OnlineMigration } from '#migration';

/** What `\p{Default_Ignorable_Code_Point}` names: characters that cannot be seen. */
const UNSEEN = String.raw`E'[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'`;
/** What `String.prototype.trim` takes from the ends of a text. */
const SPACES = String.raw`E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'`;
const plain = (table: string) => `btrim(regexp_replace(normalize(${table}.sku, NFC), ${UNSEEN}, '', 'g'), ${SPACES})`;
const PLAIN = plain('inventory_items');

/**
 * SKUs that look the same are the same: composed letters, and no characters that cannot be seen. A product whose SKU
 * another one would have, or none would be left of, gets its id behind it, so that each stays a product of its own.
 */
export class Migration20261130191000_plain_skus extends OnlineMigration {
  override name = 'Migration20261130191000_plain_skus';

  override async up(): Promise<void> {
    await this.updateInBatches('inventory_items', {
      // What several products would have is found once for a batch: a search for each product would be quadratic.
      set: `sku = case when ${PLAIN} = '' or (inventory_items.merchant, ${PLAIN}) in (
          select o.merchant, ${plain('o')} from inventory_items o group by 1, 2 having count(*) > 1)
        then left(${PLAIN}, 90) || '-' || inventory_items.id else ${PLAIN} end`,
      where: `inventory_items.sku <> ${PLAIN}`,
    });
  }
}
