import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { useRights } from '../client/rights.ts';
import { Button } from '../components/button.tsx';
import { Confirm } from '../components/confirm.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { When } from '../components/when.tsx';
import { type KeyRowFragment, RevokeKey, RotateKey } from '../generated/developers.ts';
import { words } from '../words.ts';
import { KeyMark } from './key-mark.tsx';

interface KeyDetailsProps {
  /** Null: the dialog is closed. */
  readonly developerKey: KeyRowFragment | null;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
}

/** One key: what it may do, where and until when, and how to replace or revoke it. */
export function KeyDetails({ developerKey, onClose, onSecret }: KeyDetailsProps) {
  const [step, setStep] = useState<'rotate' | 'revoke' | null>(null);
  const close = () => setStep(null);
  return (
    <>
      <Dialog
        open={developerKey !== null && step === null}
        title={developerKey?.label ?? words.developers.key}
        onClose={() => {
          if (step === null) onClose();
        }}
      >
        {developerKey && <KeyFacts developerKey={developerKey} onStep={setStep} />}
      </Dialog>
      <Rotate developerKey={developerKey} open={step === 'rotate'} onClose={close} onSecret={onSecret} />
      <Revoke developerKey={developerKey} open={step === 'revoke'} onClose={close} />
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
  readonly developerKey: KeyRowFragment | null;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Rotate({ developerKey, open, onClose, onSecret }: StepProps & Pick<KeyDetailsProps, 'onSecret'>) {
  const { busy, problem, send } = useWrite(RotateKey);
  const rotate = async () => {
    const rotated = (await send({ keyId: developerKey?.keyId ?? '' }))?.rotateKey;
    if (!rotated) return;
    onClose();
    onSecret(rotated.secret);
  };
  return (
    <Confirm
      open={open}
      title={words.developers.rotate}
      action={words.developers.rotate}
      busy={busy}
      problem={problem}
      onConfirm={() => void rotate()}
      onClose={onClose}
    >
      <p>{words.developers.rotateText}</p>
    </Confirm>
  );
}

function Revoke({ developerKey, open, onClose }: StepProps) {
  const { busy, problem, send } = useWrite(RevokeKey);
  const revoke = async () => {
    if (await send({ keyId: developerKey?.keyId ?? '' })) onClose();
  };
  return (
    <Confirm
      open={open}
      title={words.developers.revoke}
      action={words.developers.revoke}
      kind="danger"
      busy={busy}
      problem={problem}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      <p>{words.developers.revokeText}</p>
    </Confirm>
  );
}
