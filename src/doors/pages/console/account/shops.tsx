import { useState } from 'preact/hooks';
import { askInSession } from '../../client/graphql.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { useInside } from '../client/inside.ts';
import { problemText } from '../client/problem.ts';
import { Rows } from '../client/rows.tsx';
import { type AccountQuery, SwitchMerchant } from '../generated/account.ts';
import { words } from '../shared/words.ts';

type Membership = NonNullable<AccountQuery['memberships']>[number];

interface ShopsProps {
  readonly shops: readonly Membership[];
  /** Whether wallets register shops themselves here. */
  readonly mayRegister: boolean;
}

/** The shops that the wallet belongs to. Opening another one begins a new session. */
export function Shops({ shops, mayRegister }: ShopsProps) {
  const { settings, session } = useInside();
  const [opening, setOpening] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (merchant: string) => {
    setOpening(merchant);
    setProblem(null);
    try {
      await askInSession(settings.graphqlUrl, SwitchMerchant, { merchant }, session.csrfToken);
      // Loading the page again leaves nothing of this shop in memory.
      location.assign('/console');
    } catch (error) {
      setOpening(null);
      setProblem(problemText(error));
    }
  };
  return (
    <>
      <ErrorNote problem={problem} />
      <Rows label={words.account.shops}>
        {shops.map(({ id, merchant, name, role, current }) => (
          <li key={id} class="row shop-row">
            <span class="member-name cut">
              <bdi>{name || words.yourShop}</bdi>
            </span>
            <span class="soft">{words.roles[role].name}</span>
            {current ? (
              <span class="soft row-end">{words.account.here}</span>
            ) : (
              <Button
                kind="quiet"
                busy={opening === merchant}
                label={`${words.account.open}: ${name}`}
                onClick={() => void open(merchant)}
              >
                {words.account.open}
              </Button>
            )}
          </li>
        ))}
      </Rows>
      {mayRegister && shops.every(({ merchant }) => merchant !== session.wallet) && (
        <p class="session-actions">
          <Button href="/console/register">{words.register.own}</Button>
        </p>
      )}
    </>
  );
}
