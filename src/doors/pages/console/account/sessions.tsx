import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { Rows } from '../client/rows.tsx';
import { When } from '../client/when.tsx';
import { type AccountQuery, EndOtherSessions, EndSession } from '../generated/account.ts';
import { words } from '../shared/words.ts';

type Session = NonNullable<AccountQuery['sessions']>['nodes'][number];

/** Where the wallet is signed in, and how each of these sessions is ended. */
export function Sessions({ sessions }: { readonly sessions: readonly Session[] }) {
  const { isOpen, recordOf, open, close } = useDialogs();
  const ended = sessions.find(({ sessionId }) => sessionId === recordOf('end'));
  return (
    <>
      <Rows label={words.account.sessions}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => open('end', session.sessionId)} />
        ))}
      </Rows>
      {sessions.length > 1 && (
        <p class="session-actions">
          <Button onClick={() => open('end-others')}>{words.account.endAll}</Button>
        </p>
      )}
      {isOpen('end-others') && <EndOthers onClose={close} />}
      {ended && <EndOne sessionId={ended.sessionId} onClose={close} />}
    </>
  );
}

/** The server names a device as in “Firefox on Windows”. */
function deviceOf({ device }: Session): string {
  if (device === null) return words.account.unknownDevice;
  const [browser = device, system] = device.split(' on ', 2);
  return system === undefined ? device : words.account.device({ browser, system });
}

function SessionRow({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { current, address, createdAt, lastUsedAt } = session;
  return (
    <li class="row session-row">
      <span class="member-name cut">{deviceOf(session)}</span>
      <span class="session-story soft">
        {address !== null && `${address} · `}
        {words.account.signedIn} <When at={createdAt} /> · {words.account.used} <When at={lastUsedAt} />
      </span>
      {current ? (
        <span class="soft row-end">{words.account.thisOne}</span>
      ) : (
        <Button kind="plain" label={`${words.account.end}: ${deviceOf(session)}`} onClick={onEnd}>
          {words.account.end}
        </Button>
      )}
    </li>
  );
}

function EndOne({ sessionId, onClose }: { readonly sessionId: string; readonly onClose: () => void }) {
  return (
    <ConfirmWrite
      open
      title={words.account.endTitle}
      action={words.account.end}
      kind="danger"
      write={EndSession}
      variables={{ sessionId }}
      onClose={onClose}
    >
      <p>{words.account.endText}</p>
    </ConfirmWrite>
  );
}

function EndOthers({ onClose }: { readonly onClose: () => void }) {
  return (
    <ConfirmWrite
      open
      title={words.account.endAll}
      action={words.account.endAll}
      kind="danger"
      write={EndOtherSessions}
      variables={{}}
      onClose={onClose}
    >
      <p>{words.account.endAllText}</p>
    </ConfirmWrite>
  );
}
