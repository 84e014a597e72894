import { Migration } from '@mikro-orm/migrations';

/** The rows that one statement of `updateInBatches` reads. A request that needs one of them waits for the statement. */
const BATCH = 1_000;

/** A key that a table has as a constraint. */
interface Key {
  readonly kind: 'primary key' | 'unique';
  readonly columns: readonly string[];
}

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
    await this.#concurrently(async () => {
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
    await this.#concurrently(() => this.execute(`drop index concurrently if exists ${name}`));
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

  /** Makes a column not null. The rows are read without a lock that a request waits for. */
  protected async setNotNull(table: string, column: string): Promise<void> {
    const check = `${table}_${column}_there`;
    if (!(await this.#isNotNull(table, column))) {
      await this.addCheck(table, check, `${column} is not null`);
      // PostgreSQL finds the check and does not read the rows again. So the check goes in a statement of its own.
      await this.execute(`alter table ${table} alter column ${column} set not null`);
    }
    await this.execute(`alter table ${table} drop constraint if exists ${check}`);
  }

  /**
   * Adds a primary key or a unique constraint, or gives the one with this name other columns. Its index is built
   * concurrently. The columns of a primary key must be not null already.
   */
  protected async setKey(table: string, name: string, { kind, columns }: Key): Promise<void> {
    const [row] = await this.execute(
      'select pg_get_constraintdef(oid) as key from pg_constraint where conname = ? and conrelid = ?::regclass',
      [name, table],
    );
    const list = `(${columns.join(', ')})`;
    if (row?.key === `${kind.toUpperCase()} ${list}`) return;
    const index = row ? `${name}_new` : name;
    await this.createIndex(index, `on ${table} ${list}`, { unique: true });
    // The constraint gives its name to the index.
    const drop = row ? `drop constraint ${name}, ` : '';
    await this.execute(`alter table ${table} ${drop}add constraint ${name} ${kind} using index ${index}`);
  }

  /**
   * Adds a column that is not null and whose default differs by row, as `pg_current_xact_id()` does. `add column` with
   * such a default rewrites the table under a lock.
   */
  protected async addFilledColumn(
    table: string,
    column: string,
    { type, value }: { readonly type: string; readonly value: string },
  ): Promise<void> {
    await this.execute(`alter table ${table} add column if not exists ${column} ${type} null`);
    await this.execute(`alter table ${table} alter column ${column} set default ${value}`);
    await this.updateInBatches(table, { set: `${column} = ${value}`, where: `${column} is null` });
    await this.setNotNull(table, column);
  }

  /** Adds a column of numbers that PostgreSQL always generates as an identity. */
  protected async addIdentity(table: string, column: string): Promise<void> {
    const sequence = `${table}_${column}_fill`;
    const [row] = await this.execute(
      'select attidentity as identity from pg_attribute where attrelid = ?::regclass and attname = ?',
      [table, column],
    );
    if (row?.identity === 'a') return;
    await this.execute(`create sequence if not exists ${sequence}`);
    await this.addFilledColumn(table, column, { type: 'bigint', value: `nextval('${sequence}')` });
    await this.execute(`do $$ begin
      alter table ${table} alter column ${column} drop default;
      alter table ${table} alter column ${column} add generated always as identity;
      perform setval(pg_get_serial_sequence('${table}', '${column}'), nextval('${sequence}'));
      drop sequence ${sequence};
    end $$`);
  }

  /**
   * Updates the rows that fulfil a condition, in the order of the primary key, so that each row is read once, however
   * many there are. Each batch is a transaction. An update that runs again must not change what it has changed.
   *
   * @param set the new values; columns of the table have its name before them where another table has the same
   * @param where the rows that lack them
   */
  protected async updateInBatches(
    table: string,
    { set, where }: { readonly set: string; readonly where: string },
  ): Promise<void> {
    const key = await this.#primaryKey(table);
    const columns = key.map(({ name }) => `${table}.${name}`).join(', ');
    // Names that the table does not have, so that its columns need no table before them.
    const parts = key.map((_, i) => `part_key_${i + 1}`);
    const isInPart = key.map(({ name }, i) => `${table}.${name} = ${parts[i]}`).join(' and ');
    const isLater = `(${columns}) > (${key.map(({ type }) => `?::text::${type}`).join(', ')})`;
    const statement = (condition: string) => `with part (${parts.join(', ')}) as (
        select ${columns} from ${table} where ${condition} order by ${columns} limit ${BATCH}),
      changed as (update ${table} set ${set} from part where ${isInPart} and (${where}))
      select ${parts.map((name) => `${name}::text`).join(', ')} from part
       order by ${parts.map((name) => `part.${name} desc`).join(', ')} limit 1`;
    let [last] = await this.execute(statement('true'));
    while (last) [last] = await this.execute(statement(isLater), Object.values(last));
  }

  /** The columns of the primary key with their types, as SQL. */
  async #primaryKey(table: string): Promise<{ readonly name: string; readonly type: string }[]> {
    return this.execute(
      `select quote_ident(attname) as name, format_type(atttypid, atttypmod) as type
         from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
        where i.indrelid = ?::regclass and i.indisprimary order by array_position(i.indkey, a.attnum)`,
      [table],
    ) as Promise<{ readonly name: string; readonly type: string }[]>;
  }

  async #isNotNull(table: string, column: string): Promise<boolean> {
    const [row] = await this.execute(
      'select attnotnull as done from pg_attribute where attrelid = ?::regclass and attname = ?',
      [table, column],
    );
    return row?.done === true;
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
   * time limit would only make it begin again. One process builds it: several would take the processors from requests.
   */
  async #concurrently(work: () => Promise<unknown>): Promise<void> {
    await this.execute('set lock_timeout = 0; set max_parallel_maintenance_workers = 0');
    try {
      await work();
    } finally {
      await this.execute('reset lock_timeout; reset max_parallel_maintenance_workers');
    }
  }
}
