import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Session } from '../../client/session.ts';
import type { PageProps } from '../client/console-page.ts';
import { InvitedContext } from '../client/inside.ts';
import { Opening } from '../client/loaded.tsx';
import type { ConsoleSettings } from '../shared/settings.ts';
import { words } from '../shared/words.ts';

/** The address of an invitation, which ends with its token. It is outside of any shop: the wallet may not have one. */
export const JOIN_PATH = '/console/join';

/** Shows the invitation of the address to a signed-in wallet. */
export function JoinInvitation({
  settings,
  session,
}: {
  readonly settings: ConsoleSettings;
  readonly session: Session;
}) {
  const [page, setPage] = useState<{ readonly Join: ComponentType<PageProps> } | null>(null);
  useEffect(() => {
    void import('../join/page.tsx').then(({ default: Join }) => setPage({ Join }));
  }, []);
  const invited = useMemo(() => ({ settings, session }), [settings, session]);
  return (
    <main class="sign-in" data-stage="join">
      <div class="sign-in-card">
        <InvitedContext.Provider value={invited}>
          {page ? <page.Join params={{}} /> : <Opening title={words.join.title} />}
        </InvitedContext.Provider>
      </div>
    </main>
  );
}
