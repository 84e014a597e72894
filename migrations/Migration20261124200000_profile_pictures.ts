import { OnlineMigration } from '#migration';

/** Pictures that only profiles show are deleted once no profile shows them. Those that exist already stay. */
export class Migration20261124200000_profile_pictures extends OnlineMigration {
  override name = 'Migration20261124200000_profile_pictures';

  override async up(): Promise<void> {
    await this.execute('alter table images add column if not exists profile_only boolean not null default false');
    await this.createIndex('images_of_profiles', 'on images (created_at) where profile_only');
    await this.createIndex('users_by_picture', "on users (pfp_url) where pfp_url like '/images/%'");
  }
}
