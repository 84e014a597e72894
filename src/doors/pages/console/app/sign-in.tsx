import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Access } from '../client/access.ts';
import { Brand } from '../client/brand.tsx';
import { Button } from '../client/button.tsx';
import { Icon } from '../client/icon.tsx';
import { LanguageSwitch } from '../client/language-switch.tsx';
import { type FoundWallets, rememberedWallet, TEST_WALLET } from '../client/wallets.ts';
import type { RegisterProps } from '../register/register.tsx';
import type { ConsoleSettings } from '../shared/settings.ts';
import { words } from '../shared/words.ts';
import { JOIN_PATH } from './join-invitation.tsx';

interface SignInProps {
  readonly settings: ConsoleSettings;
  readonly access: Access;
  readonly wallets: FoundWallets;
}

/** The sign-in of the console: a wallet signs in, and nothing of a merchant is shown. */
export function SignIn({ settings, access, wallets }: SignInProps) {
  const { stage, problem, session } = access;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${words.name} · ${settings.brandName}`;
    if (access.moved) title.current?.focus();
  }, [stage]);
  const invited = location.pathname === JOIN_PATH;
  const said =
    stage === 'opening' ? null : invited ? words.join.signIn : words.signIn[stage === 'inside' ? 'signed-out' : stage];
  return (
    <main class="sign-in" data-stage={stage} aria-busy={stage === 'opening'}>
      <div class="sign-in-card">
        <Brand name={settings.brandName} logoUrl={settings.brandLogoUrl} />
        {said ? (
          <>
            <h1 ref={title} tabIndex={-1}>
              {said.title}
            </h1>
            <p class="lead">{said.text}</p>
            {stage === 'no-shop' && session && <RegisterHere settings={settings} session={session} />}
            {problem !== null && (
              <p class="note warn" role="alert">
                {problem}
              </p>
            )}
            {stage === 'no-shop' && <p class="soft sign-in-other">{words.signIn.anotherWallet}</p>}
            <div class="sign-in-actions">
              <WalletButtons settings={settings} access={access} wallets={wallets} />
              {stage === 'no-shop' && (
                <Button kind="quiet" onClick={() => void access.leave()}>
                  {words.signOut}
                </Button>
              )}
            </div>
          </>
        ) : (
          <>
            <h1 class="unseen">{words.name}</h1>
            {problem !== null && (
              <p class="note warn" role="status">
                {problem} {words.opensAgain}
              </p>
            )}
          </>
        )}
      </div>
      <div class="sign-in-foot">
        <LanguageSwitch />
      </div>
      {settings.chain.local && <p class="sign-in-foot">{words.testNet}</p>}
    </main>
  );
}

/** The registration, which few visitors need: its script is loaded here. */
function RegisterHere(props: RegisterProps) {
  const [loaded, setLoaded] = useState<{ readonly Register: ComponentType<RegisterProps> } | null>(null);
  useEffect(() => {
    void import('../register/register.tsx').then(({ Register }) => setLoaded({ Register }));
  }, []);
  return loaded && <loaded.Register {...props} />;
}

function WalletButtons({ access, wallets }: SignInProps) {
  if (access.busy !== null)
    return (
      <Button kind="primary" busy>
        {access.busy}
      </Button>
    );
  // The wallet that is signed in has no shop: signing in with it again leads here again.
  const signedIn = access.stage === 'no-shop' ? rememberedWallet() : null;
  const choices = wallets.choices.filter(({ id }) => id !== signedIn);
  if (choices.length === 0 && signedIn !== null) return null;
  if (choices.length === 0) return <p class="note">{words.signIn.noWallet}</p>;
  return choices.map(({ id, name, icon }, n) => (
    <Button
      key={id}
      kind={n === 0 && access.stage !== 'no-shop' ? 'primary' : 'quiet'}
      onClick={() => {
        const provider = wallets.provider(id);
        if (provider) void access.enter(id, provider);
      }}
    >
      {icon === '' ? (
        <Icon name={id === TEST_WALLET ? 'key' : 'wallet'} />
      ) : (
        <img src={icon} alt="" width={20} height={20} />
      )}
      {words.signIn.signInWith({ wallet: name })}
    </Button>
  ));
}
