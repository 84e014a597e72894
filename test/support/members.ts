import type { MemberRole } from '../../src/base/core/roles.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { addMember } from '../../src/domain/shop/merchants/members.ts';
import { newAccount, type TestAccount, type TestServer } from './server.ts';

/** A signed-in member of a merchant. */
export interface TestMember {
  readonly account: TestAccount;
  readonly wallet: Wallet;
  /** The headers of its session. */
  readonly session: Record<string, string>;
}

/** Adds a new wallet to a merchant, without an invitation, and signs it in. */
export async function newMember(server: TestServer, merchant: Wallet, role: MemberRole): Promise<TestMember> {
  const account = newAccount();
  const wallet = account.address.toLowerCase() as Wallet;
  const createdAt = server.deps.clock();
  await server.deps.db.transaction((uow) =>
    addMember(uow, { merchant, wallet, role, label: null, createdAt, addedBy: merchant }),
  );
  return { account, wallet, session: await server.signIn(account) };
}
