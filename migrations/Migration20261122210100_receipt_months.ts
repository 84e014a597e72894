import { Migration } from '@mikro-orm/migrations';

/** The statistics of a month in one row. The statistics' worker writes it with the days. */
export class Migration20261122210100_receipt_months extends Migration {
  override name = 'Migration20261122210100_receipt_months';

  override up(): void {
    this.addSql(`create table receipt_months (
      merchant text not null, month int not null, groups text not null, primary key (merchant, month))`);
    this.addSql(`insert into receipt_months (merchant, month, groups)
      select merchant, month, json_agg(columns order by status collate "C", token collate "C")::text
        from (select merchant, month, status, token,
                     json_build_array(status, token, json_agg(day order by day), json_agg(created_count order by day),
                       json_agg(created_cents order by day), json_agg(paid_count order by day),
                       json_agg(paid_cents order by day), json_agg(fee_cents order by day),
                       json_agg(refunded_cents order by day)) as columns
                from (select *, (extract(year from date '1970-01-01' + day) * 12
                                 + extract(month from date '1970-01-01' + day) - 23641)::int as month
                        from receipt_days) days
               group by merchant, month, status, token) months
       group by merchant, month`);
  }
}
