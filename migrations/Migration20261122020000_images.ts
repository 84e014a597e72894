import { OnlineMigration } from '#migration';

/** Stores each picture once, by the digest of its bytes; users keep its path. Drops pictures that cannot be read. */
export class Migration20261122020000_images extends OnlineMigration {
  override name = 'Migration20261122020000_images';

  override async up(): Promise<void> {
    await this.execute(`create table if not exists "images" (
      "digest" text not null,
      "media_type" text not null,
      "bytes" bytea not null,
      "created_at" bigint not null,
      primary key ("digest")
    )`);
    // Each picture is a transaction of its own, so that no profile is locked for long.
    await this.execute(`do $$
      declare
        u record;
        owner text;
        content bytea;
        hex text;
      begin
        for owner in select wallet from users where pfp_url like 'data:%' loop
          begin
            select pfp_url, lower(split_part(pfp_url, ',', 1)) as head,
                   substr(pfp_url, strpos(pfp_url, ',') + 1) as payload
              into u from users where wallet = owner and pfp_url like 'data:%' for update;
            continue when not found;
            content := case when u.head like '%;base64' then decode(u.payload, 'base64') else (
              select string_agg(case when m[1] ~ '^%[0-9a-fA-F]{2}$' then decode(substr(m[1], 2), 'hex')
                                     else convert_to(m[1], 'UTF8') end, ''::bytea order by n)
                from regexp_matches(u.payload, '(%[0-9a-fA-F]{2}|.)', 'g') with ordinality as t(m, n)) end;
            hex := encode(sha256(content), 'hex');
            insert into images (digest, media_type, bytes, created_at)
            values (hex, replace(substr(split_part(u.head, ';', 1), 6), 'image/jpg', 'image/jpeg'), content,
                    (extract(epoch from now()) * 1000)::bigint)
            on conflict (digest) do nothing;
            update users set pfp_url = '/images/' || hex where wallet = owner;
          exception
            when lock_not_available then raise;
            when others then update users set pfp_url = '' where wallet = owner;
          end;
          commit;
        end loop;
      end $$`);
  }
}
