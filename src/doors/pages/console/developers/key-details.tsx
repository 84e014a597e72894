import { useMemo } from 'preact/hooks';
import { newKey } from '../../../../client/new-key.ts';
import { useRights } from '../client/access.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm.tsx';
import { Dialog, useDialogs } from '../client/dialog.tsx';
import { Facts } from '../client/section.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import { type KeyRowFragment, RevokeKey, RotateKey } from '../generated/developers.ts';
import { words } from '../shared/words.ts';

interface KeyDetailsProps {
  readonly developerKey: KeyRowFragment;
  readonly onSecret: (secret: string) => void;
}

/** One key: what it may do, where and until when, and how to replace or revoke it. */
export function KeyDetails({ developerKey, onSecret }: KeyDetailsProps) {
  const { isOpen, open, close } = useDialogs();
  const { keyId, label } = developerKey;
  const steps = { keyId, onClose: () => open('key', keyId) };
  return (
    <>
      <Dialog open={isOpen('key')} title={label ?? words.developers.key} onClose={close}>
        <KeyFacts developerKey={developerKey} onStep={(step) => open(step, keyId)} />
      </Dialog>
      <Rotate {...steps} open={isOpen('rotate')} onSecret={onSecret} />
      <Revoke {...steps} open={isOpen('revoke')} onDone={close} />
    </>
  );
}

interface KeyFactsProps {
  readonly developerKey: KeyRowFragment;
  readonly onStep: (step: 'rotate' | 'revoke') => void;
}

function KeyFacts({ developerKey, onStep }: KeyFactsProps) {
  const { keyId, scopes, createdAt, lastUsedAt, expiresAt, revokedAt, origins, addresses, trustedOnly, state } =
    developerKey;
  const mayRotate = useRights().may('keys_write') || !developerKey.writes;
  return (
    <>
      <Facts
        facts={[
          [words.developers.state, <KeyMark key="state" developerKey={developerKey} />],
          [words.developers.id, <code key="id">{keyId}</code>],
          [words.developers.mayDo, scopes.map((scope) => words.developers.scopes[scope]).join(' · ')],
          [words.developers.issued, <When key="issued" at={createdAt} />],
          [words.developers.lastUsed, lastUsedAt && <When key="used" at={lastUsedAt} />],
          [words.developers.until, expiresAt && <When key="until" at={expiresAt} />],
          [words.developers.revoked, revokedAt && <When key="revoked" at={revokedAt} />],
          [words.developers.origins, origins.join(', ')],
          [words.developers.addresses, addresses.join(', ')],
          [words.developers.documents, trustedOnly && words.developers.trustedOnly],
        ]}
      />
      {state === 'active' && (
        <div class="dialog-actions">
          <Button kind="danger" onClick={() => onStep('revoke')}>
            {words.developers.revoke}
          </Button>
          {mayRotate && <Button onClick={() => onStep('rotate')}>{words.developers.rotate}</Button>}
        </div>
      )}
    </>
  );
}

interface StepProps {
  readonly keyId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Rotate({ keyId, open, onClose, onSecret }: StepProps & Pick<KeyDetailsProps, 'onSecret'>) {
  const key = useMemo(newKey, [keyId]);
  return (
    <ConfirmWrite
      open={open}
      title={words.developers.rotate}
      action={words.developers.rotate}
      write={RotateKey}
      variables={{ keyId, key }}
      onDone={({ rotateKey }) => {
        if (!rotateKey) return;
        onClose();
        onSecret(rotateKey.secret);
      }}
      onClose={onClose}
    >
      <p>{words.developers.rotateText}</p>
    </ConfirmWrite>
  );
}

function Revoke({ keyId, open, onClose, onDone }: StepProps & { readonly onDone: () => void }) {
  return (
    <ConfirmWrite
      open={open}
      title={words.developers.revoke}
      action={words.developers.revoke}
      kind="danger"
      write={RevokeKey}
      variables={{ keyId }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{words.developers.revokeText}</p>
    </ConfirmWrite>
  );
}

/** Whether a key works, and until when if it has been replaced. */
export function KeyMark({ developerKey: { state, replacedBy } }: { readonly developerKey: KeyRowFragment }) {
  if (state !== 'active') return <Status tone="muted">{words.developers.states[state]}</Status>;
  return replacedBy === null ? (
    <Status tone="mark">{words.developers.states.active}</Status>
  ) : (
    <Status tone="warn">{words.developers.replaced}</Status>
  );
}
