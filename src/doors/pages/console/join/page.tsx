import { useContext, useEffect, useState } from 'preact/hooks';
import { ApiError, askInSession } from '../../client/graphql.ts';
import { shortHash } from '../../shared/amounts.ts';
import { Brand } from '../client/brand.tsx';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { InvitedContext } from '../client/inside.ts';
import { problemText } from '../client/problem.ts';
import { RoleRights } from '../client/role.tsx';
import { Facts } from '../client/section.tsx';
import { When } from '../client/when.tsx';
import { AcceptOffer, EnterShop, Offer, type OfferQuery } from '../generated/join.ts';
import { words } from '../shared/words.ts';

type Invitation = NonNullable<OfferQuery['invitation']>;

/** An invitation, as the signed-in wallet sees it: which shop, which role, and what that role may do. */
export default function JoinPage() {
  const { settings, session } = useContext(InvitedContext);
  const { graphqlUrl: url } = settings;
  const [token] = useState(() => location.hash.slice(1));
  const [offer, setOffer] = useState<Invitation | null>(null);
  const [problem, setProblem] = useState<string | null>(token === '' ? words.join.noToken : null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    document.title = `${words.join.title} · ${words.name}`;
    if (token === '') return;
    askInSession(url, Offer, { token }, session.csrfToken)
      .then(({ invitation }) => setOffer(invitation))
      .catch((error: unknown) => setProblem(linkProblem(error)));
  }, []);

  const accept = async ({ merchant }: Invitation) => {
    setBusy(true);
    setProblem(null);
    try {
      await askInSession(url, AcceptOffer, { token }, session.csrfToken);
      await askInSession(url, EnterShop, { merchant }, session.csrfToken);
      location.assign('/console');
    } catch (error) {
      setBusy(false);
      setProblem(problemText(error));
    }
  };

  return (
    <>
      <Brand name={settings.brandName} logoUrl={settings.brandLogoUrl} />
      <h1>{offer ? words.join.invited({ shop: offer.name }) : words.join.title}</h1>
      <ErrorNote problem={problem} />
      {!offer && problem === null && (
        <p class="lead" role="status" aria-busy="true">
          {words.loading}
        </p>
      )}
      {offer && <Terms offer={offer} wallet={session.wallet} />}
      <div class="sign-in-actions">
        {offer && (
          <Button kind="primary" busy={busy} onClick={() => void accept(offer)}>
            {words.join.accept}
          </Button>
        )}
        <Button href="/console">{offer ? words.join.decline : words.join.toConsole}</Button>
      </div>
    </>
  );
}

/** The reader's message for a link that leads to no invitation. */
const linkProblem = (error: unknown): string =>
  error instanceof ApiError && error.code === 'invalid_input' ? words.join.noToken : problemText(error);

function Terms({ offer, wallet }: { readonly offer: Invitation; readonly wallet: string }) {
  const { role, createdBy, expiresAt } = offer;
  return (
    <>
      <p class="lead">{words.join.from({ wallet: shortHash(createdBy) })}</p>
      <p class="join-role">{words.roles[role].name}</p>
      <RoleRights role={role} />
      <Facts
        facts={[
          [
            words.join.wallet,
            <span key="wallet" class="mono" title={wallet}>
              {shortHash(wallet)}
            </span>,
          ],
          [words.join.until, <When key="until" at={expiresAt} />],
        ]}
      />
    </>
  );
}
