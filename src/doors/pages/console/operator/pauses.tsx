import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite, ReasonDialog } from '../client/confirm.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { Select } from '../client/field.tsx';
import { Icon } from '../client/icon.tsx';
import { networkName } from '../client/network-name.ts';
import { Rows } from '../client/rows.tsx';
import { Section } from '../client/section.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import { type OperatorStateQuery, PausePayments, ResumePayments } from '../generated/operator.ts';
import { words } from '../shared/words.ts';

type Platform = NonNullable<OperatorStateQuery['platform']>;
type Pause = Platform['paymentPauses'][number];
type Accepted = Platform['acceptedTokens'][number];

interface PausesProps extends Pick<Platform, 'paymentPauses' | 'acceptedTokens'> {
  /** Called after a change: other parts of the page depend on it. */
  readonly onChange: () => void;
}

/** A chain, or a token of it, as the operator reads it. */
function placeOf({ chainId, network: name, token }: Pick<Pause, 'chainId' | 'network' | 'token'>): string {
  const network = networkName(chainId, name);
  return token === null ? words.operator.everyToken({ network }) : words.operator.tokenOn({ token, network });
}

const keyOf = ({ chainId, token }: Pick<Pause, 'chainId' | 'token'>): string => `${chainId}/${token ?? ''}`;

/** What is paused, and the dialogs that pause more of it or end a pause. */
export function Pauses({ paymentPauses, acceptedTokens, onChange }: PausesProps) {
  const { isOpen, open, close } = useDialogs();
  const resuming = paymentPauses.find((pause) => isOpen('resume', keyOf(pause)));
  return (
    <Section title={words.operator.pauses}>
      {paymentPauses.length === 0 ? (
        <p class="card calm">
          <Icon name="check" />
          {words.operator.noPause}
        </p>
      ) : (
        <Rows label={words.operator.pauses}>
          {paymentPauses.map((pause) => (
            <li key={keyOf(pause)} class="row pause-row">
              <Status tone="warn">{placeOf(pause)}</Status>
              <span class="soft pause-why">
                {words.operator.pausedSince} <When at={pause.pausedAt} />: {pause.reason}
              </span>
              <Button
                kind="plain"
                label={`${words.operator.resume}: ${placeOf(pause)}`}
                onClick={() => open('resume', keyOf(pause))}
              >
                {words.operator.resume}
              </Button>
            </li>
          ))}
        </Rows>
      )}
      <p class="pause-more">
        <Button onClick={() => open('pause')}>{words.operator.pause}</Button>
      </p>
      {isOpen('pause') && <PauseDialog acceptedTokens={acceptedTokens} onChange={onChange} onClose={close} />}
      {resuming && <ResumeDialog pause={resuming} onChange={onChange} onClose={close} />}
    </Section>
  );
}

interface DialogProps {
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Each chain as a whole, followed by its tokens. */
const placesOf = (accepted: readonly Accepted[]): Pick<Pause, 'chainId' | 'network' | 'token'>[] =>
  accepted.flatMap((one, i) => (accepted[i - 1]?.chainId === one.chainId ? [one] : [{ ...one, token: null }, one]));

function PauseDialog({ acceptedTokens, onChange, onClose }: DialogProps & Pick<Platform, 'acceptedTokens'>) {
  const places = placesOf(acceptedTokens);
  const [chosen, setChosen] = useState(0);
  const { busy, problem, send } = useWrite(PausePayments);
  const pause = async (reason: string) => {
    const place = places[chosen];
    if (!place || !(await send({ chainId: place.chainId, token: place.token, reason }))) return;
    onChange();
    onClose();
  };
  return (
    <ReasonDialog
      title={words.operator.pauseTitle}
      action={words.operator.pause}
      busy={busy}
      problem={problem}
      onConfirm={(reason) => void pause(reason)}
      onClose={onClose}
    >
      <p>{words.operator.pauseText}</p>
      <Select label={words.operator.pausePlace} value={String(chosen)} onChange={(value) => setChosen(Number(value))}>
        {places.map((place, i) => (
          <option key={keyOf(place)} value={String(i)}>
            {placeOf(place)}
          </option>
        ))}
      </Select>
    </ReasonDialog>
  );
}

function ResumeDialog({ pause, onChange, onClose }: DialogProps & { readonly pause: Pause }) {
  return (
    <ConfirmWrite
      open
      title={words.operator.resumeTitle({ place: placeOf(pause) })}
      action={words.operator.resume}
      write={ResumePayments}
      variables={{ chainId: pause.chainId, token: pause.token }}
      onDone={() => {
        onChange();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{words.operator.resumeText}</p>
    </ConfirmWrite>
  );
}
