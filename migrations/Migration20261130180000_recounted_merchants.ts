import { OnlineMigration } from '#migration';

/** Indexes of the merchants whose receipts are to be counted in another time zone. */
export class Migration20261130180000_recounted_merchants extends OnlineMigration {
  override name = 'Migration20261130180000_recounted_merchants';

  override async up(): Promise<void> {
    await this.execute("alter table merchants add column if not exists counted_zone text not null default 'UTC'");
    // Before this version the zone stood in the statistics' own table only.
    await this.updateInBatches('merchants', {
      set: 'counted_zone = (select z.zone from counted_zones z where z.merchant = wallet)',
      where: 'exists (select from counted_zones z where z.merchant = wallet and z.zone <> counted_zone)',
    });
    await this.createIndex(
      'merchants_recounted',
      `on merchants (wallet) where coalesce(shop ->> 'timeZone', 'UTC') <> counted_zone`,
    );
    await this.createIndex('counted_zones_waiting', 'on counted_zones (merchant) where after_id is not null');
  }
}
