import { useInside } from '../client/inside.ts';
import { PageHead } from '../client/page-head.tsx';
import { Signup } from '../generated/register.ts';
import { words } from '../shared/words.ts';
import { Register } from './register.tsx';

/** Registers a shop of the own wallet, for a member of another shop or an operator. */
export default function RegisterPage() {
  const { api, session, settings } = useInside();
  return (
    <>
      <PageHead title={words.register.title} />
      <div class="card new-form">
        <Register settings={settings} session={session} readSignup={() => api.read(Signup)} />
      </div>
    </>
  );
}
