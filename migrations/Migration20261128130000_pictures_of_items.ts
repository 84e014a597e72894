import { OnlineMigration } from '#migration';

/**
 * A picture of a product is served from its item, so that it goes with it. Each item gets the digest of its picture;
 * one that cannot be decoded gets none. The copies beside the items count as pictures of profiles, and are deleted
 * unless a profile shows them.
 */
export class Migration20261128130000_pictures_of_items extends OnlineMigration {
  override name = 'Migration20261128130000_pictures_of_items';

  override async up(): Promise<void> {
    await this.execute('alter table inventory_items add column if not exists thumb_digest text null');
    // Each picture is a transaction of its own: a long one would delay a request that changes the same item.
    await this.execute(`do $$
      declare
        i record;
        item record;
        content bytea;
      begin
        for item in select merchant, id from inventory_items where thumb ilike 'data:%' and thumb_digest is null loop
          begin
            select lower(split_part(thumb, ',', 1)) as head, substr(thumb, strpos(thumb, ',') + 1) as payload
              into i from inventory_items where merchant = item.merchant and id = item.id and thumb ilike 'data:%';
            continue when not found;
            i.payload := case when i.head like '%;base64'
              then rtrim(translate(regexp_replace(i.payload, '\\s', '', 'g'), '-_', '+/'), '=') else i.payload end;
            content := case when i.head like '%;base64'
              then decode(rpad(i.payload, (length(i.payload) + 3) / 4 * 4, '='), 'base64') else (
              select string_agg(case when m[1] ~ '^%[0-9a-fA-F]{2}$' then decode(substr(m[1], 2), 'hex')
                                     else convert_to(m[1], 'UTF8') end, ''::bytea order by n)
                from regexp_matches(i.payload, '(%[0-9a-fA-F]{2}|.)', 'g') with ordinality as t(m, n)) end;
            update inventory_items set thumb_digest = encode(sha256(content), 'hex')
             where merchant = item.merchant and id = item.id and thumb ilike 'data:%' and thumb_digest is null;
          exception
            when lock_not_available then raise;
            when others then null;
          end;
          commit;
        end loop;
      end $$`);
    await this.createIndex(
      'inventory_items_by_picture',
      'on inventory_items (thumb_digest) where thumb_digest is not null',
    );
    await this.updateInBatches('images', { set: 'profile_only = true', where: 'not profile_only' });
  }
}
