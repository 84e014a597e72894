import { useState } from 'preact/hooks';
import { amountFrom } from '../catalog/item.ts';
import { useCreate, useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Check, Input, LabelledSelect, NumberField, TextArea } from '../client/field.tsx';
import { networkName } from '../client/network-name.ts';
import { numberFrom, numberText } from '../client/typed-number.ts';
import { MailToYou } from '../generated/mails.ts';
import {
  CreatePlan,
  type PlanFieldsFragment,
  type PlanPeriod,
  PlanTokenOptions,
  type PlanTokenOptionsQuery,
  UpdatePlan,
} from '../generated/plans.ts';
import { words } from '../shared/words.ts';

const PERIODS: readonly PlanPeriod[] = ['WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY'];

interface PlanFormProps {
  /** The plan that is changed; a new one without it. */
  readonly plan?: PlanFieldsFragment;
  readonly onCancel: () => void;
  readonly onDone: (plan: PlanFieldsFragment) => void;
}

/** The fields of a plan. */
export function PlanForm({ plan, onCancel, onDone }: PlanFormProps) {
  const [name, setName] = useState(plan?.name ?? '');
  const [price, setPrice] = useState(plan ? numberText(plan.priceUsd, 'money') : '');
  const [period, setPeriod] = useState<PlanPeriod>(plan?.period ?? 'MONTHLY');
  const [description, setDescription] = useState(plan?.description ?? '');
  const options = useRead(PlanTokenOptions, {}).data?.planTokenOptions ?? [];
  const [given, setGiven] = useState<readonly string[] | null>(null);
  const keys = given ?? chosenKeys(options, plan);
  const sendsMail = useRead(MailToYou, {}).data?.mailPreference?.configured ?? false;
  const [days, setDays] = useState(plan?.reminderDays == null ? '' : numberText(plan.reminderDays, 'whole'));
  const reminderDays = days.trim() === '' ? null : numberFrom(days, 'whole');
  const wrongDays = days.trim() !== '' && !(reminderDays !== null && reminderDays >= 1 && reminderDays <= 30);
  const [tried, setTried] = useState(false);
  const creating = useCreate(CreatePlan);
  const updating = useWrite(UpdatePlan);
  const priceUsd = amountFrom(price, 'USD') || null;
  const submit = async () => {
    setTried(true);
    if (!name.trim() || priceUsd === null || wrongDays || (given && given.length === 0)) return;
    const input = {
      name: name.trim(),
      priceUsd,
      period,
      description: description.trim(),
      ...(given && { paymentTokens: choiceOf(options, given) }),
      ...(sendsMail && { reminderDays }),
    };
    const made = plan
      ? (await updating.send({ input: { ...input, planId: plan.planId } }))?.updatePlan
      : (await creating.send({ input }))?.createPlan;
    if (made) onDone(made);
  };
  const problem = creating.problem ?? updating.problem;
  return (
    <form
      class="item-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Input
        label={words.catalog.name}
        value={name}
        problem={tried && !name.trim() ? words.catalog.nameNeeded : null}
        onInput={setName}
      />
      <div class="two">
        <NumberField
          label={words.catalog.price({ currency: 'USD' })}
          kind="money"
          currency="USD"
          value={price}
          problem={tried && priceUsd === null ? words.catalog.wrongPrice : null}
          onInput={setPrice}
        />
        <LabelledSelect label={words.plans.period} value={period} onChange={(value) => setPeriod(value as PlanPeriod)}>
          {PERIODS.map((each) => (
            <option key={each} value={each}>
              {words.plans.periods[each]}
            </option>
          ))}
        </LabelledSelect>
      </div>
      <TextArea
        label={words.catalog.description}
        hint={words.plans.descriptionHint}
        value={description}
        onInput={setDescription}
      />
      {sendsMail && (
        <NumberField
          label={words.plans.reminderDays}
          hint={words.plans.reminderDaysHint}
          kind="whole"
          value={days}
          problem={tried && wrongDays ? words.plans.wrongDays : null}
          onInput={setDays}
        />
      )}
      {options.length > 1 && <PlanNetworks options={options} keys={keys} onChange={setGiven} />}
      {plan && <p class="soft">{words.plans.keeps}</p>}
      <ErrorNote problem={problem} />
      <div class="dialog-actions">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button kind="primary" type="submit" busy={creating.busy || updating.busy}>
          {plan ? words.catalog.saveChanges : words.plans.addIt}
        </Button>
      </div>
    </form>
  );
}

type PlanToken = PlanTokenOptionsQuery['planTokenOptions'][number];

const keyOf = ({ chainId, token }: { readonly chainId: number; readonly token: string }): string =>
  `${token}@${chainId}`;

/** The keys of the tokens that a plan takes; those of a plan without a choice if there is none. */
const chosenKeys = (options: readonly PlanToken[], plan?: PlanFieldsFragment): readonly string[] =>
  plan?.paymentTokens?.map(keyOf) ?? options.filter(({ usual }) => usual).map(keyOf);

/** The choice to send: null if it is what a plan takes without one. */
function choiceOf(options: readonly PlanToken[], keys: readonly string[]) {
  const chosen = options.filter((option) => keys.includes(keyOf(option)));
  const usual = options.filter((option) => option.usual);
  if (chosen.length === usual.length && chosen.every((option) => option.usual)) return null;
  return chosen.map(({ chainId, token }) => ({ chainId, token }));
}

interface PlanNetworksProps {
  readonly options: readonly PlanToken[];
  readonly keys: readonly string[];
  readonly onChange: (keys: readonly string[]) => void;
}

/** The tokens and networks that a plan may be paid in. */
function PlanNetworks({ options, keys, onChange }: PlanNetworksProps) {
  return (
    <fieldset class="networks">
      <legend class="field-label">{words.plans.networks}</legend>
      {options.map((option) => {
        const key = keyOf(option);
        const change = (isChosen: boolean) => onChange(isChosen ? [...keys, key] : keys.filter((one) => one !== key));
        return (
          <Check key={key} checked={keys.includes(key)} onChange={change}>
            {words.shop.tokenOn({ token: option.token, network: networkName(option.chainId, option.network) })}
          </Check>
        );
      })}
      {keys.length === 0 && (
        <p class="field-problem" role="alert">
          {words.plans.noNetwork}
        </p>
      )}
    </fieldset>
  );
}
