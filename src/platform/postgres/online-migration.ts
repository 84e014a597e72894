import { Migration } from '@mikro-orm/migrations';

/**
 * A migration of a table that is in use: it runs outside a transaction, one statement after the other, and holds no
 * lock that a request waits for. It may fail between two statements and then runs again as a whole, so every step must
 * be repeatable.
 *
 * @example
 * override async up(): Promise<void> {
 *   await this.createIndex('receipts_memo', 'on receipts (merchant, memo)');
 * }
 */
export abstract class OnlineMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /**
   * Builds an index concurrently. What a build that failed has left is removed first.
   *
   * @param definition what follows the name: the table, the columns and the condition
   */
  protected async createIndex(name: string, definition: string, { unique = false } = {}): Promise<void> {
    await this.#withoutLockTimeout(async () => {
      const [row] = await this.execute(
        'select indisvalid as valid from pg_index where indexrelid = to_regclass(?)::oid',
        [name],
      );
      if (row?.valid === true) return;
      if (row) await this.execute(`drop index concurrently if exists ${name}`);
      await this.execute(`create ${unique ? 'unique ' : ''}index concurrently ${name} ${definition}`);
    });
  }

  /** Drops an index without keeping requests from its table. */
  protected async dropIndex(name: string): Promise<void> {
    await this.#withoutLockTimeout(() => this.execute(`drop index concurrently if exists ${name}`));
  }

  /**
   * Adds a check and validates it: a new row is checked at once, and the old rows are read without a lock that a
   * request waits for.
   */
  protected async addCheck(table: string, name: string, condition: string): Promise<void> {
    const [row] = await this.execute(
      'select convalidated as valid from pg_constraint where conname = ? and conrelid = ?::regclass',
      [name, table],
    );
    if (!row) await this.execute(`alter table ${table} add constraint ${name} check (${condition}) not valid`);
    if (row?.valid !== true) await this.execute(`alter table ${table} validate constraint ${name}`);
  }

  /**
   * Runs an update until it changes nothing. It must choose a few thousand rows that lack the new value, so that each
   * round holds its rows only briefly.
   *
   * @example
   * await this.inBatches(`update receipts r set memo = '' from (
   *   select merchant, id from receipts where memo is null limit 2000) o
   *   where r.merchant = o.merchant and r.id = o.id`);
   */
  protected async inBatches(update: string): Promise<void> {
    for (;;) {
      const changed = await this.execute(`${update} returning 1 as changed`);
      if (changed.length === 0) return;
    }
  }

  /**
   * An index that is built or dropped concurrently waits for every older transaction, and no request waits behind it. A
   * time limit would only make it begin again.
   */
  async #withoutLockTimeout(work: () => Promise<unknown>): Promise<void> {
    await this.execute('set lock_timeout = 0');
    try {
      await work();
    } finally {
      await this.execute('reset lock_timeout');
    }
  }
}
