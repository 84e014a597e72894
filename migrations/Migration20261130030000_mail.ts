import { OnlineMigration } from '#migration';

/** E-mails, what members want to receive, and the address of a subscriber. */
export class Migration20261130030000_mail extends OnlineMigration {
  override name = 'Migration20261130030000_mail';

  override async up(): Promise<void> {
    await this.execute(`create table if not exists mail_messages (
      merchant text not null, id text not null, kind text not null, subject_id text null, member text null,
      state text not null, sent int not null default 0, answer text null, refused_digest text null,
      queued_at bigint not null, finished_at bigint null, primary key (merchant, id))`);
    await this.execute(
      'create index if not exists mail_messages_log on mail_messages (merchant, queued_at, id)',
    );
    await this.execute(
      'create index if not exists mail_messages_of_subject on mail_messages (merchant, subject_id)',
    );
    await this.execute(`create index if not exists mail_messages_refused on mail_messages (merchant, refused_digest)
      where refused_digest is not null`);
    await this.execute(`create table if not exists mail_preferences (
      merchant text not null, wallet text not null, email text not null, language text not null,
      notices text[] not null, updated_at bigint not null, primary key (merchant, wallet))`);
    await this.execute('alter table subscriptions add column if not exists email text null');
    await this.execute('alter table subscriptions add column if not exists language text null');
    await this.execute('alter table plans add column if not exists reminder_days int null');
  }
}
