import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { PageHead } from '../client/page-head.tsx';
import { Facts, Section } from '../client/section.tsx';
import { ConnectShop } from '../generated/connect.ts';
import { words } from '../shared/words.ts';

/** A shop system asks for a key: what it may do with it, in words, and the decision. */
export default function ConnectPage() {
  const { query } = useLocation();
  const { busy, problem, send } = useWrite(ConnectShop);
  const [left, setLeft] = useState(false);
  const { name = '', state, return_url: returnUrl = '', webhook_url: webhookUrl } = query;
  const [returnTo, eventsTo] = [hostOf(returnUrl), webhookUrl ? hostOf(webhookUrl) : null];
  const { code_challenge: codeChallenge, code_challenge_method: method = 'S256' } = query;
  if (!name.trim() || returnTo === null || !codeChallenge || method !== 'S256' || (webhookUrl && eventsTo === null))
    return (
      <>
        <PageHead title={words.connect.title} />
        <ErrorNote problem={words.connect.incomplete} />
      </>
    );
  const leave = (href: string) => {
    setLeft(true);
    location.assign(href);
  };
  const connect = async () => {
    const data = await send({ input: { name, returnUrl, state, codeChallenge, webhookUrl } });
    if (data?.connectShop) leave(data.connectShop.returnUrl);
  };
  const mays = [
    ...Object.values(words.connect.mays),
    ...(eventsTo === null ? [] : [words.connect.events({ host: eventsTo })]),
  ];
  return (
    <>
      <PageHead title={words.connect.title} lead={words.connect.lead({ name })} />
      <Section title={words.connect.may}>
        <div class="card">
          <ul class="connect-rights">
            {mays.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>{words.connect.mayNot}</p>
          <Facts facts={[[words.connect.returns, <strong key="host">{returnTo}</strong>]]} />
          <p class="soft">{words.connect.check}</p>
          <ErrorNote problem={problem} />
          {left ? (
            <p role="status">{words.connect.leaving}</p>
          ) : (
            <div class="dialog-actions">
              <Button onClick={() => leave(refusedAt(returnUrl, state))}>{words.connect.cancel}</Button>
              <Button kind="primary" busy={busy} onClick={() => void connect()}>
                {words.connect.connect}
              </Button>
            </div>
          )}
        </div>
      </Section>
    </>
  );
}

/** The host of a web address; null for anything else, such as a script. */
function hostOf(address: string): string | null {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url.host : null;
}

/** Where the browser goes back to without a connection. */
function refusedAt(returnUrl: string, state: string | undefined): string {
  const url = new URL(returnUrl);
  url.searchParams.set('error', 'access_denied');
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}
