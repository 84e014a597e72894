import { useState } from 'preact/hooks';
import { NEEDED_FOR_SCOPE } from '../../../../base/core/roles.ts';
import { type Scope as KeyScope, SHOP_SYSTEM_SCOPES } from '../../../../base/core/scopes.ts';
import { openReference } from '../../client/issued-key.ts';
import type { Permission } from '../../generated/session.ts';
import { useRights } from '../client/access.ts';
import { useCreate } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Dialog } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Check, Choices, Input } from '../client/field.tsx';
import { FormActions } from '../client/form-actions.tsx';
import { SecretDialog } from '../client/secret-dialog.tsx';
import { IssueKey, type IssueKeyMutationVariables } from '../generated/developers.ts';
import { words } from '../shared/words.ts';

type Scope = IssueKeyMutationVariables['input']['scopes'][number];

const SCOPES = Object.keys(words.developers.scopes) as Scope[];

/** What keys are mostly for, with the scopes that each needs. */
const PRESETS = {
  'web-shop': ['orders_create', 'receipts_read', 'inventory_read'],
  'shop-system': SHOP_SYSTEM_SCOPES.map((scope) => scope.replace(':', '_') as Scope),
  accounting: ['receipts_read', 'shop_read', 'split_read'],
  'read-only': SCOPES.filter((scope) => scope.endsWith('_read')),
} as const satisfies Record<string, readonly Scope[]>;

const PRESET_NAMES = Object.keys(PRESETS) as (keyof typeof PRESETS)[];

/** Each scope is chosen by itself. */
const OWN = 'own';

/** What the issuer of a key must hold for a scope, by the names of the schema. */
const neededFor = (scope: Scope): Permission =>
  NEEDED_FOR_SCOPE[scope.replace('_', ':') as KeyScope].replace(':', '_') as Permission;

interface IssueKeyDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
}

/** Issues a key with the chosen scopes. */
export function IssueKeyDialog({ open, onClose, onSecret }: IssueKeyDialogProps) {
  return (
    <Dialog open={open} title={words.developers.issue} onClose={onClose}>
      <IssueKeyForm
        onCancel={onClose}
        onSecret={(secret) => {
          onClose();
          onSecret(secret);
        }}
      />
    </Dialog>
  );
}

interface IssueKeyFormProps {
  /** The text of the way out, outside of a dialog. */
  readonly leave?: string;
  readonly onCancel: () => void;
  readonly onSecret: (secret: string) => void;
}

/** The properties of a new key. */
export function IssueKeyForm({ leave, onCancel, onSecret }: IssueKeyFormProps) {
  const [label, setLabel] = useState('');
  const [until, setUntil] = useState('');
  const [origins, setOrigins] = useState('');
  const [addresses, setAddresses] = useState('');
  const { busy, problem, send } = useCreate(IssueKey);
  const { may } = useRights();
  const offered = SCOPES.filter((scope) => may(neededFor(scope)));
  const presets = PRESET_NAMES.filter((name) => PRESETS[name].every((scope) => offered.includes(scope)));
  const [preset, setPreset] = useState<keyof typeof PRESETS | typeof OWN>(presets[0] ?? OWN);
  const [own, setOwn] = useState<readonly Scope[]>([]);
  const issue = async () => {
    const issued = await send({
      input: {
        label: label.trim() || null,
        scopes: preset === OWN ? [...own] : [...PRESETS[preset]],
        expiresAt: until ? endOfDay(until) : null,
        origins: listOf(origins),
        addresses: listOf(addresses),
      },
    });
    if (issued?.issueKey) onSecret(issued.issueKey.secret);
  };
  const choose = (scope: Scope, wanted: boolean) =>
    setOwn(wanted ? [...own, scope] : own.filter((one) => one !== scope));
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void issue();
      }}
    >
      <Input label={words.developers.name} hint={words.developers.nameHint} value={label} onInput={setLabel} />
      <Choices
        label={words.developers.mayDo}
        name="preset"
        choices={[...presets, OWN]}
        about={words.developers.presets}
        value={preset}
        onChange={setPreset}
      />
      {preset === OWN && (
        <fieldset class="kinds">
          <legend class="field-label">{words.developers.presets.own.name}</legend>
          {offered.map((scope) => (
            <Check key={scope} checked={own.includes(scope)} onChange={(wanted) => choose(scope, wanted)}>
              {words.developers.scopes[scope]}
            </Check>
          ))}
        </fieldset>
      )}
      <Input
        type="date"
        label={words.developers.until}
        hint={words.developers.untilHint}
        value={until}
        onInput={setUntil}
      />
      <details>
        <summary class="more-limits">{words.developers.limits}</summary>
        <div class="form">
          <Input
            label={words.developers.origins}
            hint={words.developers.originsHint}
            value={origins}
            onInput={setOrigins}
          />
          <Input
            label={words.developers.addresses}
            hint={words.developers.addressesHint}
            value={addresses}
            onInput={setAddresses}
          />
        </div>
      </details>
      <ErrorNote problem={problem} />
      <FormActions action={words.developers.issue} busy={busy} leave={leave} onCancel={onCancel} />
    </form>
  );
}

/** Parts of a text between commas and spaces; null if there are none. */
function listOf(text: string): string[] | null {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  return parts.length > 0 ? parts : null;
}

/** The end of a day in the reader’s time zone, epoch milliseconds. */
const endOfDay = (day: string): number => new Date(`${day}T23:59:59.999`).getTime();

interface NewKeyProps {
  /** Null: the dialog is closed. */
  readonly secret: string | null;
  readonly onClose: () => void;
}

/** Shows a key that was just issued, once, and opens the reference with it. */
export function NewKey({ secret, onClose }: NewKeyProps) {
  return (
    <SecretDialog
      secret={secret}
      title={words.developers.secretTitle}
      text={words.developers.secretText}
      onClose={onClose}
    >
      <Button kind="plain" onClick={() => openReference(secret ?? '')}>
        {words.developers.tryKey}
      </Button>
    </SecretDialog>
  );
}
