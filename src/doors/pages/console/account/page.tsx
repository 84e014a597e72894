import { useLocation } from 'preact-iso';
import { shortHash } from '../../shared/amounts.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { useInside } from '../client/inside.ts';
import { LanguageSwitch } from '../client/language-switch.tsx';
import { Loaded } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { RoleRights } from '../client/role.tsx';
import { Pager, pageVariables } from '../client/rows.tsx';
import { Facts, Section } from '../client/section.tsx';
import { Account, LeaveMerchant, Owners } from '../generated/account.ts';
import { words } from '../shared/words.ts';
import { MailToYouSection } from './mail-to-you.tsx';
import { Sessions } from './sessions.tsx';
import { Shops } from './shops.tsx';

/** The sessions of one page: other parts of the page follow. */
const SESSIONS = 10;

/** The signed-in wallet: its role, its shops, and where it is signed in. */
export default function AccountPage() {
  const { wallet, role } = useInside().session;
  const { query } = useLocation();
  const read = useRead(Account, pageVariables(query, SESSIONS));
  const { data } = read;
  return (
    <>
      <PageHead title={words.account.title} />
      <ErrorNote problem={read.problem} again={read.again} />
      <div class="card">
        <Facts
          facts={[
            [
              words.account.wallet,
              <span key="wallet" class="mono" title={wallet}>
                {shortHash(wallet)}
              </span>,
            ],
            [words.account.role, role && words.roles[role].name],
          ]}
        />
        {role && (
          <details class="role-details">
            <summary>{words.roles[role].about}</summary>
            <RoleRights role={role} />
          </details>
        )}
      </div>
      <Section title={words.account.shops}>
        <Loaded read={read} of={data?.memberships} place={1} problemElsewhere>
          {(shops) => <Shops shops={shops} mayRegister={data?.onboarding?.signup !== 'closed'} />}
        </Loaded>
      </Section>
      <Section title={words.account.sessions}>
        <Loaded read={read} of={data?.sessions} place={2} problemElsewhere>
          {({ nodes, pageInfo }) => (
            <>
              <Sessions sessions={nodes} />
              <Pager info={pageInfo} />
            </>
          )}
        </Loaded>
      </Section>
      <Section title={words.language.title}>
        <div class="card">
          <LanguageSwitch />
        </div>
      </Section>
      {role && <MailToYouSection />}
      {role === 'owner' ? <LeaveAsOwner /> : role && <Leave />}
    </>
  );
}

/** Leaving for owners. The last one cannot leave, and reads to whom the role can be given first. */
function LeaveAsOwner() {
  const { data } = useRead(Owners, {});
  const members = data?.members;
  if (!members) return null;
  if (members.filter(({ role }) => role === 'owner').length > 1) return <Leave />;
  if (members.length === 1) return null;
  return (
    <Section title={words.account.leave}>
      <p class="section-lead">{words.account.soleOwner}</p>
      <Button href="/console/people">{words.people.title}</Button>
    </Section>
  );
}

function Leave() {
  const { check } = useInside();
  const { route } = useLocation();
  const { isOpen, open, close } = useDialogs();
  return (
    <Section title={words.account.leave}>
      <Button kind="danger" onClick={() => open('leave')}>
        {words.account.leave}
      </Button>
      <ConfirmWrite
        open={isOpen('leave')}
        title={words.account.leaveTitle}
        action={words.account.leave}
        kind="danger"
        write={LeaveMerchant}
        variables={{}}
        onDone={() => {
          route('/console');
          void check();
        }}
        onClose={close}
      >
        <p>{words.account.leaveText}</p>
      </ConfirmWrite>
    </Section>
  );
}
