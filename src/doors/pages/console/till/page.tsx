import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { ErrorNote } from '../client/error-note.tsx';
import { Icon } from '../client/icon.tsx';
import { PageHead } from '../client/page-head.tsx';
import { prepareSound } from '../client/payment-alert.ts';
import { SellingShop } from '../generated/selling.ts';
import { words } from '../shared/words.ts';
import { NewSale } from './new-sale.tsx';
import { OpenSale } from './open-sale.tsx';
import { isMuted, setMuted } from './sound.ts';

/** The till: an amount is typed, its code fills the screen, and a sound and a sign tell that it is paid. */
export default function TillPage() {
  const { query } = useLocation();
  const { data, problem, again } = useRead(SellingShop, {});
  const { mayFollow } = useRights();
  // On a phone the till has no navigation. Who has no first page signs out on the page of the own account.
  const up = mayFollow('/console')
    ? { href: '/console', title: words.home.title }
    : { href: '/console/account', title: words.account.title };
  useEffect(() => {
    document.addEventListener('pointerdown', prepareSound);
    document.addEventListener('keydown', prepareSound);
    return () => {
      document.removeEventListener('pointerdown', prepareSound);
      document.removeEventListener('keydown', prepareSound);
    };
  }, []);
  return (
    <div class="till">
      <PageHead title={words.till.title} up={up}>
        <SoundSwitch />
      </PageHead>
      <ErrorNote problem={problem} again={again} />
      {query.receipt ? <OpenSale key={query.receipt} receiptId={query.receipt} /> : <NewSale shop={data} />}
    </div>
  );
}

function SoundSwitch() {
  const [muted, choose] = useState(isMuted);
  return (
    <button
      type="button"
      class="button plain till-sound"
      aria-pressed={!muted}
      aria-label={words.till.sound}
      onClick={() => {
        setMuted(!muted);
        choose(!muted);
      }}
    >
      <Icon name={muted ? 'mute' : 'sound'} />
    </button>
  );
}
