import DataLoader from 'dataloader';
import {
  cursorScope,
  type Listing,
  type NestedList,
  type OwnedPage,
  type Placed,
  readNested,
} from '../platform/keyset.ts';
import { type Context, loader } from './context.ts';

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
