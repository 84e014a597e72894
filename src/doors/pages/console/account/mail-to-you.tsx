import { useEffect, useState } from 'preact/hooks';
import { LANGUAGE_NAMES } from '../../../../base/core/messages/languages.ts';
import { useRights } from '../client/access.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Check, Input, LabelledSelect } from '../client/field.tsx';
import { Section } from '../client/section.tsx';
import { type MailChoiceFragment, MailToYou, SendTestMail, SetMailPreference, TestMail } from '../generated/mails.ts';
import { isUnchecked, words } from '../shared/words.ts';

/** What the member receives by e-mail; nothing where the server sends none. */
export function MailToYouSection() {
  const choice = useRead(MailToYou, {}).data?.mailPreference;
  if (!choice?.configured) return null;
  return (
    <Section title={words.mails.toYou}>
      <MailForm key={choice.email ?? ''} choice={choice} />
    </Section>
  );
}

function MailForm({ choice }: { readonly choice: MailChoiceFragment }) {
  const [email, setEmail] = useState(choice.email ?? '');
  const [language, setLanguage] = useState(choice.language ?? 'en');
  const [notices, setNotices] = useState(choice.notices);
  const [tested, setTested] = useState<string | null>(null);
  const saving = useWrite(SetMailPreference);
  const testing = useWrite(SendTestMail);
  const save = () => saving.send({ input: { email, language, notices } });
  const test = async () => {
    const sent = await testing.send({});
    setTested(sent?.sendTestMail?.mailId ?? null);
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Input label={words.mails.address} type="email" required value={email} onInput={setEmail} />
      <LabelledSelect
        label={words.mails.language}
        hint={isUnchecked(language) ? words.language.unchecked : undefined}
        value={language}
        onChange={setLanguage}
      >
        {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </LabelledSelect>
      <fieldset>
        <legend class="field-label">{words.mails.notices}</legend>
        {choice.offered.map((notice) => (
          <Check
            key={notice}
            checked={notices.includes(notice)}
            onChange={(isOn) => setNotices(isOn ? [...notices, notice] : notices.filter((one) => one !== notice))}
          >
            {words.mails.kinds[notice]}
          </Check>
        ))}
      </fieldset>
      <ErrorNote problem={saving.problem ?? testing.problem} />
      <div class="save-row">
        <Button kind="primary" type="submit" busy={saving.busy}>
          {words.mails.save}
        </Button>
        {choice.confirmed && (
          <Button busy={testing.busy} onClick={() => void test()}>
            {words.mails.test}
          </Button>
        )}
        {useRights().may('receipts_read') && <Button href="/console/mails">{words.mails.title}</Button>}
      </div>
      {choice.email !== null && !choice.confirmed && <p role="status">{words.mails.unconfirmed}</p>}
      {tested !== null && <TestOutcome key={tested} mailId={tested} />}
    </form>
  );
}

/** The time between two looks at the test message. */
const LOOK_MS = 1_000;

/** What the mail server said of the test message. */
function TestOutcome({ mailId }: { readonly mailId: string }) {
  const { data, again } = useRead(TestMail, { mailId });
  const mail = data?.mail;
  const waits = !mail || mail.state === 'pending';
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(again, LOOK_MS);
    return () => clearInterval(timer);
  }, [waits, again]);
  return (
    <p role="status">
      {mail ? words.mails.states[mail.state] : words.mails.states.pending}
      {mail?.answer && `: ${mail.answer}`}
    </p>
  );
}
