import { OnlineMigration } from '#migration';

/** How many messages of a day were sent and asked for: by merchant, and by the digest of a mailbox. */
export class Migration20261130180000_mail_counts extends OnlineMigration {
  override name = 'Migration20261130180000_mail_counts';

  override async up(): Promise<void> {
    await this.execute(`create table if not exists mail_counts (
      key text not null, hour int not null, sent int not null, asked int not null, primary key (key, hour))`);
    await this.execute('create index if not exists mail_counts_hours on mail_counts (hour)');
  }
}
