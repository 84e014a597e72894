import { useEffect, useState } from 'preact/hooks';
import { askInSession } from '../../client/graphql.ts';
import type { Session } from '../../client/session.ts';
import { Button } from '../client/button.tsx';
import { CopyButton } from '../client/copy-button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Input } from '../client/field.tsx';
import { problemText } from '../client/problem.ts';
import { EnterOwnShop, RegisterShop, Signup, type SignupQuery } from '../generated/register.ts';
import type { ConsoleSettings } from '../shared/settings.ts';
import { words } from '../shared/words.ts';
import { stepUrl } from '../start/steps.ts';

type SignupState = SignupQuery['onboarding']['signup'];

export interface RegisterProps {
  readonly settings: ConsoleSettings;
  readonly session: Session;
  /** Reads whether a shop may be registered. Default: in a request of its own. */
  readonly readSignup?: () => Promise<SignupQuery>;
}

/** Registers a shop under the wallet of the session, as far as the operator allows, and says what to do if not. */
export function Register({ settings: { graphqlUrl: url }, session, readSignup }: RegisterProps) {
  const [signup, setSignup] = useState<SignupState | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    (readSignup?.() ?? askInSession(url, Signup, {}))
      .then(({ onboarding }) => setSignup(onboarding.signup))
      .catch((error: unknown) => setProblem(problemText(error)));
  }, []);
  if (problem !== null) return <ErrorNote problem={problem} />;
  if (signup === null) return <p aria-busy="true">{words.loading}</p>;
  return (
    <div class="register">
      <p class="lead">{words.register.signups[signup]}</p>
      {signup === 'closed' ? (
        <>
          <p class="mono link-text">{session.wallet}</p>
          <CopyButton text={session.wallet}>{words.register.copyWallet}</CopyButton>
        </>
      ) : (
        <RegisterForm url={url} session={session} needsCode={signup === 'invite'} />
      )}
    </div>
  );
}

interface RegisterFormProps {
  readonly url: string;
  readonly session: Session;
  readonly needsCode: boolean;
}

function RegisterForm({ url, session, needsCode }: RegisterFormProps) {
  const [name, setName] = useState('');
  // The link of an invitation ends with its code, which so is in no log.
  const [code, setCode] = useState(() => location.hash.slice(1));
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const register = async () => {
    setTried(true);
    if (!name.trim() || (needsCode && !code.trim())) return;
    setBusy(true);
    setProblem(null);
    try {
      const input = { name: name.trim(), code: needsCode ? code.trim() : null };
      await askInSession(url, RegisterShop, { input }, session.csrfToken);
      await askInSession(url, EnterOwnShop, { merchant: session.wallet }, session.csrfToken);
      // Loading the page again leaves nothing of another shop in memory.
      location.assign(stepUrl('name'));
    } catch (error) {
      setBusy(false);
      setProblem(problemText(error));
    }
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void register();
      }}
    >
      <Input
        label={words.register.name}
        hint={words.register.nameHint}
        value={name}
        problem={tried && !name.trim() ? words.register.nameNeeded : null}
        onInput={setName}
      />
      {needsCode && (
        <Input
          label={words.register.code}
          hint={words.register.codeHint}
          value={code}
          problem={tried && !code.trim() ? words.register.codeNeeded : null}
          onInput={setCode}
        />
      )}
      <ErrorNote problem={problem} />
      <Button kind="primary" type="submit" busy={busy}>
        {words.register.action}
      </Button>
    </form>
  );
}
