import DataLoader from 'dataloader';
import { placeOf, cursorOf as textOf } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import {
  cursorScope,
  type Listing,
  type NestedList,
  type OwnedPage,
  type PageRequest,
  type Placed,
  readNested,
} from '../platform/keyset.ts';
import { builder, throughParent } from './builder.ts';
import { type Context, loader } from './context.ts';

/** The default and the maximum of `first` and `last`. */
const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;

/** The points of counting a list: one statement that may read all of it. */
const COUNT_POINTS = 100;

/** The arguments of every connection. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
}

/** A page of a list in the form of a Relay connection. */
interface Connection<Row> {
  readonly edges: { readonly node: Row; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  totalCount(): Promise<number>;
}

/**
 * The page of a list that the arguments ask for. Reads one row more than the page, to know whether it is the last; the
 * rows are counted only if `totalCount` is selected. Refuses sizes outside 0 to 200 and `first` with `last` with
 * `invalid_input`, and a cursor of anything but this list, order and owner with `bad_cursor`.
 */
export async function connect<Row>(args: PageArguments, listing: Listing<Row>): Promise<Connection<Row>> {
  const page = pageOf(args, listing);
  const { limit: size, backward, after, before } = page;
  const found = await listing.read({ ...page, limit: size + 1 });
  const shown = found.slice(0, size);
  if (backward) shown.reverse();
  const edges = shown.map((placed) => new Edge(listing, placed));
  const isCut = found.length > size;
  return {
    edges,
    pageInfo: {
      hasNextPage: backward ? before != null : isCut,
      hasPreviousPage: backward ? isCut : after != null,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => listing.count(),
  };
}

/** Makes its cursor only if it is selected. */
class Edge<Row> {
  readonly node: Row;
  readonly #listing: Listing<Row>;
  readonly #placed: Placed<Row>;

  constructor(listing: Listing<Row>, placed: Placed<Row>) {
    this.node = placed.row;
    this.#listing = listing;
    this.#placed = placed;
  }

  get cursor(): string {
    return textOf(this.#listing.scope, this.#placed.place);
  }
}

function pageOf(args: PageArguments, { scope }: Pick<Listing<unknown>, 'scope'>): PageRequest {
  const { first, last, after, before } = args;
  requireSize('first', first);
  requireSize('last', last);
  if (first != null && last != null) {
    throw refuse('invalid_input', 'last must not be given together with first', { field: 'last' });
  }
  return {
    limit: first ?? last ?? PAGE_SIZE,
    // Without a size, `before` alone asks for the page that ends there.
    backward: last != null || (first == null && before != null && after == null),
    after: after == null ? null : placeOf(scope, after, 'after'),
    before: before == null ? null : placeOf(scope, before, 'before'),
  };
}

function requireSize(field: 'first' | 'last', size: number | null | undefined): void {
  if (size == null || (size >= 0 && size <= MAX_PAGE_SIZE)) return;
  throw refuse('invalid_input', `${field} must be a whole number from 0 to ${MAX_PAGE_SIZE}`, { field });
}

/** The complexity of a connection: its entries count once each. A size that will be refused counts as the maximum. */
export const costOfPage = ({ first, last }: PageArguments) => {
  const size = first ?? last ?? PAGE_SIZE;
  return { field: 1, multiplier: size >= 0 && size <= MAX_PAGE_SIZE ? size : MAX_PAGE_SIZE };
};

/**
 * The names and descriptions of a connection's types, for the last two arguments of `t.connection`.
 *
 * @example
 * plans: t.connection(
 *   { type: PlanType, complexity: costOfPage, resolve: (_, args, ctx) => connect(args, plansOf(ctx, …)), … },
 *   ...connectionTypes('Plan', 'plans'),
 * )
 */
export const connectionTypes = (name: string, plural: string) =>
  [
    { name: `${name}Connection`, description: `A page of a list of ${plural}.`, ...throughParent },
    { name: `${name}Edge`, description: `An entry of a list of ${plural}, with its cursor.`, ...throughParent },
  ] as const;

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description: 'The number of entries of the whole list. Counted only if it is selected.',
    complexity: COUNT_POINTS,
    resolve: (connection) => connection.totalCount(),
  }),
);

/**
 * The list of each object of a response, for `connect`: one statement reads the pages of all objects. A cursor belongs
 * to the list of one object.
 *
 * @example
 * const chargesOf = nestedListing(CHARGES);
 * resolve: ({ id }, page, ctx) => connect(page, chargesOf(ctx, id)),
 */
export function nestedListing<Row>(list: NestedList<Row>): (context: Context, owner: string) => Listing<Row> {
  const kind = Symbol(list.order.name);
  return (context, owner) => ({
    scope: cursorScope(list.order, owner),
    read: (page) =>
      loader(
        context,
        kind,
        // A later field of the same operation, after a mutation, must read again.
        () =>
          new DataLoader<OwnedPage, Placed<Row>[]>((wanted) => readNested(context.db, list, wanted), { cache: false }),
      ).load({ owner, page }),
    async count() {
      const counted = await context.db.one(list.total, { owner });
      return counted!.total;
    },
  });
}
