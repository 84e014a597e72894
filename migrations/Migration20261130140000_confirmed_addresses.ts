import { OnlineMigration } from '#migration';

/** When a member confirmed the address for its notices. */
export class Migration20261130140000_confirmed_addresses extends OnlineMigration {
  override name = 'Migration20261130140000_confirmed_addresses';

  override async up(): Promise<void> {
    await this.execute('alter table mail_preferences add column if not exists confirmed_at bigint null');
  }
}
