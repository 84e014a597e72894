import { OnlineMigration } from '#migration';

/** What `String.prototype.trim` takes from the ends of a text. */
const SPACES = String.raw`E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'`;
const TRIMMED = `btrim(inventory_items.sku, ${SPACES})`;

/**
 * SKUs have no spaces around them any more. A product whose SKU another one would have without its spaces gets its id
 * behind it, so that each stays a product of its own.
 */
export class Migration20261128100000_trimmed_skus extends OnlineMigration {
  override name = 'Migration20261128100000_trimmed_skus';

  override async up(): Promise<void> {
    await this.updateInBatches('inventory_items', {
      set: `sku = case when exists (
          select from inventory_items o
           where o.merchant = inventory_items.merchant and o.id <> inventory_items.id
             and btrim(o.sku, ${SPACES}) = ${TRIMMED})
        then left(${TRIMMED}, 90) || '-' || inventory_items.id else ${TRIMMED} end`,
      where: `inventory_items.sku <> ${TRIMMED}`,
    });
  }
}
