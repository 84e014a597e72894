/** The statuses of a resource, and which status may follow which. */
export interface Lifecycle<Status extends string> {
  readonly statuses: readonly Status[];
  /** The statuses that a new resource may have. */
  readonly first: readonly Status[];
  /** The statuses that may follow each status. A final status has none. */
  readonly moves: Readonly<Record<Status, readonly Status[]>>;
  mayMove(from: Status, to: Status): boolean;
  /**
   * The statuses that `to` may follow. An update compares the stored status with them, so that it changes only rows
   * that may move:
   *
   * @example
   * uow.db.updateTable('Charge').set({ status: 'paid' }).where('status', 'in', CHARGE.before('paid'))
   */
  before(to: Status): readonly Status[];
}

/** Defines a lifecycle by its first statuses and its moves. The order of `moves` is the order of the statuses. */
export function defineLifecycle<const Status extends string>(
  first: readonly NoInfer<Status>[],
  moves: Readonly<Record<Status, readonly NoInfer<Status>[]>>,
): Lifecycle<Status> {
  const statuses = Object.keys(moves) as Status[];
  const mayMove = (from: Status, to: Status) => moves[from].includes(to);
  return { statuses, first, moves, mayMove, before: (to) => statuses.filter((from) => mayMove(from, to)) };
}
