import { OnlineMigration } from '#migration';

/** Finds the releases that all merchants have asked for within a day. */
export class Migration20261130160000_requests_of_all extends OnlineMigration {
  override name = 'Migration20261130160000_requests_of_all';

  override async up(): Promise<void> {
    await this.createIndex(
      'settlement_shares_requests',
      'on settlement_shares (release_requested_at) where release_requested_at is not null',
    );
  }
}
