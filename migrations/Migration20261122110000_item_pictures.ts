import { Migration } from '@mikro-orm/migrations';

/** Stores the pictures of items, so that they are served by digest. A picture that cannot be decoded is left out. */
export class Migration20261122110000_item_pictures extends Migration {
  override name = 'Migration20261122110000_item_pictures';

  override up(): void {
    this.addSql(`do $$
      declare
        i record;
        content bytea;
      begin
        for i in select lower(split_part(thumb, ',', 1)) as head, substr(thumb, strpos(thumb, ',') + 1) as payload
                   from inventory_items where thumb ilike 'data:%' loop
          begin
            content := case when i.head like '%;base64' then decode(i.payload, 'base64') else (
              select string_agg(case when m[1] ~ '^%[0-9a-fA-F]{2}$' then decode(substr(m[1], 2), 'hex')
                                     else convert_to(m[1], 'UTF8') end, ''::bytea order by n)
                from regexp_matches(i.payload, '(%[0-9a-fA-F]{2}|.)', 'g') with ordinality as t(m, n)) end;
            insert into images (digest, media_type, bytes, created_at)
            values (encode(sha256(content), 'hex'),
                    replace(substr(split_part(i.head, ';', 1), 6), 'image/jpg', 'image/jpeg'), content,
                    (extract(epoch from now()) * 1000)::bigint)
            on conflict (digest) do nothing;
          exception when others then null;
          end;
        end loop;
      end $$`);
  }
}
