import { OnlineMigration } from '#migration';

/** Keys that were rotated keep the identity of the first one, and endpoints name the key that registered them. */
export class Migration20261130050000_shop_systems extends OnlineMigration {
  override name = 'Migration20261130050000_shop_systems';

  override async up(): Promise<void> {
    await this.execute('alter table api_keys add column if not exists first_id text null');
    await this.execute('alter table webhook_endpoints add column if not exists key_id text null');
  }
}
