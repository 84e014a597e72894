import { Migration } from '@mikro-orm/migrations';

/** Tokens and chains in which the operator offers no new payments. */
export class Migration20261123120000_payment_pauses extends Migration {
  override name = 'Migration20261123120000_payment_pauses';

  override up(): void {
    this.addSql(`create table payment_pauses (chain_id bigint not null, token text not null, reason text not null,
      paused_at bigint not null, primary key (chain_id, token))`);
  }
}
