import { OnlineMigration } from '#migration';

/** Stores the pictures of items, so that they are served by digest. A picture that cannot be decoded is left out. */
export class Migration20261122110000_item_pictures extends OnlineMigration {
  override name = 'Migration20261122110000_item_pictures';

  override async up(): Promise<void> {
    // Each picture is a transaction of its own: a long one would delay a request that stores the same picture.
    await this.execute(`do $$
      declare
        i record;
        item record;
        content bytea;
      begin
        for item in select merchant, id from inventory_items where thumb ilike 'data:%' loop
          begin
            select lower(split_part(thumb, ',', 1)) as head, substr(thumb, strpos(thumb, ',') + 1) as payload
              into i from inventory_items where merchant = item.merchant and id = item.id and thumb ilike 'data:%';
            continue when not found;
            content := case when i.head like '%;base64' then decode(i.payload, 'base64') else (
              select string_agg(case when m[1] ~ '^%[0-9a-fA-F]{2}$' then decode(substr(m[1], 2), 'hex')
                                     else convert_to(m[1], 'UTF8') end, ''::bytea order by n)
                from regexp_matches(i.payload, '(%[0-9a-fA-F]{2}|.)', 'g') with ordinality as t(m, n)) end;
            insert into images (digest, media_type, bytes, created_at)
            values (encode(sha256(content), 'hex'),
                    replace(substr(split_part(i.head, ';', 1), 6), 'image/jpg', 'image/jpeg'), content,
                    (extract(epoch from now()) * 1000)::bigint)
            on conflict (digest) do nothing;
          exception
            when lock_not_available then raise;
            when others then null;
          end;
          commit;
        end loop;
      end $$`);
  }
}
