import { locale } from '../shared/words.ts';

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;

const formats = {
  today: new Intl.DateTimeFormat(locale, CLOCK),
  year: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...CLOCK }),
  ever: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }),
  whole: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }),
};

/** A moment, as briefly as it stays clear: the time of day, with the date if it is not today. */
function whenText(at: number, now = new Date()): string {
  const moment = new Date(at);
  if (moment.toDateString() === now.toDateString()) return formats.today.format(moment);
  return (moment.getFullYear() === now.getFullYear() ? formats.year : formats.ever).format(moment);
}

/** A moment in the reader's time zone. The full date is its title. */
export function When({ at }: { readonly at: number }) {
  const moment = new Date(at);
  return (
    <time dateTime={moment.toISOString()} title={formats.whole.format(moment)}>
      {whenText(at)}
    </time>
  );
}
