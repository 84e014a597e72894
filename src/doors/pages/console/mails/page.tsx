import { PageHead } from '../client/page-head.tsx';
import { words } from '../shared/words.ts';
import { MailList } from './mail-list.tsx';

/** What was sent by e-mail, and what the mail server said. */
export default function MailsPage() {
  return (
    <>
      <PageHead
        title={words.mails.title}
        lead={words.mails.lead}
        up={{ href: '/console/account', title: words.account.title }}
      />
      <MailList />
    </>
  );
}
