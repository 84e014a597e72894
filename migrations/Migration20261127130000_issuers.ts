import { OnlineMigration } from '#migration';

/** Keys and endpoints name the member who issued them. Those that exist already name nobody. */
export class Migration20261127130000_issuers extends OnlineMigration {
  override name = 'Migration20261127130000_issuers';

  override async up(): Promise<void> {
    await this.execute('alter table api_keys add column if not exists issuer text');
    await this.execute('alter table webhook_endpoints add column if not exists issuer text');
  }
}
