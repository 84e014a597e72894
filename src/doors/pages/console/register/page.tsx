import { useInside } from '../client/inside.ts';
import { PageHead } from '../client/page-head.tsx';
import { words } from '../shared/words.ts';
import { Register } from './register.tsx';

/** Registers a shop of the own wallet, for a member of another shop or an operator. */
export default function RegisterPage() {
  const { session, settings } = useInside();
  return (
    <>
      <PageHead title={words.register.title} />
      <div class="card new-form">
        <Register settings={settings} session={session} />
      </div>
    </>
  );
}
