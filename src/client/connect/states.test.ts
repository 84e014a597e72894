import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENDPOINT_STATUS, RECEIPT, type ReceiptStatus } from '../../domain/sales/receipts/lifecycle.ts';
import { type Action, actionFor, advance, type OrderState, type PaymentState, STATES, stateOf } from './states.ts';

const ALL = Object.keys(STATES) as PaymentState[];
const ORDERS: readonly OrderState[] = ['waiting', 'fulfilled', 'closed'];

/** A receipt of the server, with the moves that the server has. */
interface Receipt {
  status: ReceiptStatus;
  endedAt?: number;
  /** Whether it ever was paid. */
  paid: boolean;
}

/** The server, and a network that delivers what it likes, when it likes. A report is what was read at its time. */
function createWorld() {
  const receipts: Receipt[] = [];
  const reports: { readonly attempt: number; readonly state: PaymentState }[] = [];
  const read = (attempt: number): PaymentState => {
    const { status, endedAt } = receipts[attempt]!;
    return stateOf({ status: ENDPOINT_STATUS[status], endedAt });
  };
  return {
    receipts,
    reports,
    read,
    open: () => receipts.push({ status: 'pending', endedAt: undefined, paid: false }) - 1,
    move(attempt: number, choice: number) {
      const receipt = receipts[attempt]!;
      const to = RECEIPT.moves[receipt.status];
      if (to.length === 0) return;
      receipt.status = to[choice % to.length]!;
      receipt.endedAt = receipt.status === 'failed' && choice % 2 === 0 ? 1 : undefined;
      if (receipt.status === 'paid' || receipt.status === 'completed') receipt.paid = true;
      reports.push({ attempt, state: read(attempt) });
    },
    void(attempt: number) {
      const receipt = receipts[attempt]!;
      if (read(attempt) !== 'open') return;
      Object.assign(receipt, { status: 'failed', endedAt: 1 });
      reports.push({ attempt, state: read(attempt) });
    },
  };
}

/** A shop that does what the table says, with one order. */
function createShop(world: ReturnType<typeof createWorld>) {
  const known = [world.open()].map((): PaymentState => 'open');
  const refunds = new Set<number>();
  const shop = { known, refunds, closed: false, fulfilledBy: null as number | null, fulfilments: 0, learn, close };
  const orderFor = (attempt: number): OrderState => {
    if (shop.fulfilledBy === attempt) return 'fulfilled';
    return shop.closed || shop.fulfilledBy !== null ? 'closed' : 'waiting';
  };

  function learn(attempt: number, reported: PaymentState): void {
    known[attempt] = advance(known[attempt]!, reported);
    act();
  }

  function close(): void {
    if (shop.fulfilledBy === null) shop.closed = true;
    act();
  }

  function act(): void {
    for (let attempt = 0; attempt < known.length; attempt++) {
      const action: Action = actionFor(known[attempt]!, orderFor(attempt));
      if (action === 'fulfil') {
        shop.fulfilledBy = attempt;
        shop.fulfilments += 1;
      } else if (action === 'refund') refunds.add(attempt);
      else if (action === 'void') world.void(attempt);
      else if (action === 'retry' && attempt === known.length - 1 && known.length < 4) known[world.open()] = 'open';
    }
  }
  return shop;
}

type Step = { readonly what: 'move' | 'deliver' | 'lose' | 'close'; readonly which: number; readonly choice: number };
const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom('move', 'move', 'move', 'deliver', 'deliver', 'lose', 'close'),
    which: fc.nat(1_000),
    choice: fc.nat(1_000),
  }),
  { maxLength: 40 },
);

test('no order of lost, repeated, late and swapped reports leads a shop back, books twice, or loses money', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const world = createWorld();
      const shop = createShop(world);
      let before = [...shop.known];
      for (const { what, which, choice } of all) {
        const wasClosed = shop.closed;
        const wasFulfilledBy = shop.fulfilledBy;
        const at = world.reports.length === 0 ? -1 : which % world.reports.length;
        if (what === 'move') world.move(which % world.receipts.length, choice);
        // It stays among the reports: any may arrive again, before or after any other.
        else if (what === 'deliver' && at >= 0) shop.learn(world.reports[at]!.attempt, world.reports[at]!.state);
        else if (what === 'lose' && at >= 0) world.reports.splice(at, 1);
        else if (what === 'close' && choice % 4 === 0) shop.close();
        for (const [attempt, state] of before.entries())
          if (shop.known[attempt] !== state) expect(STATES[state].next).toContain(shop.known[attempt]);
        if (wasClosed) expect([shop.closed, shop.fulfilledBy]).toEqual([true, wasFulfilledBy]);
        if (wasFulfilledBy !== null) expect(shop.fulfilledBy).toBe(wasFulfilledBy);
        before = [...shop.known];
      }
      // One reconciliation after all of that. What it voids or opens meanwhile is read as well.
      for (let attempt = 0; attempt < world.receipts.length; attempt++) shop.learn(attempt, world.read(attempt));
      expect(shop.fulfilments).toBeLessThanOrEqual(1);
      if (shop.fulfilledBy !== null) expect(world.receipts[shop.fulfilledBy]!.paid).toBe(true);
      for (const [attempt, { status }] of world.receipts.entries()) {
        const isPaid = status === 'paid' || status === 'completed';
        // Money that came is booked, or its refund is asked for.
        if (isPaid) expect(shop.fulfilledBy === attempt || shop.refunds.has(attempt)).toBe(true);
      }
      if (!shop.closed && shop.known.includes('paid')) expect(shop.fulfilledBy).not.toBeNull();
    }),
    { numRuns: 10_000 },
  );
});

test('the states lead from money that is missing to money that came, and never in a circle', () => {
  const reachable = (from: PaymentState): PaymentState[] => STATES[from].next.flatMap((to) => [to, ...reachable(to)]);
  for (const state of ALL) expect(reachable(state)).not.toContain(state);
  for (const state of ALL) for (const to of reachable(state)) expect(advance(to, state)).toBe(to);
});

test('an order is booked only when it waits and the payment is confirmed, and closed orders never are', () => {
  for (const state of ALL)
    for (const order of ORDERS)
      expect(actionFor(state, order) === 'fulfil').toBe(state === 'paid' && order === 'waiting');
});

test('every status of the server is one of the six states; a failed attempt is open until the receipt has ended', () => {
  for (const status of RECEIPT.statuses) expect(ALL).toContain(stateOf({ status: ENDPOINT_STATUS[status] }));
  expect(stateOf({ status: 'failed' })).toBe('open');
  expect(stateOf({ status: 'failed', endedAt: 1 })).toBe('ended');
  expect(new Set(RECEIPT.statuses.map((status) => stateOf({ status: ENDPOINT_STATUS[status], endedAt: 1 })))).toEqual(
    new Set(ALL),
  );
});
