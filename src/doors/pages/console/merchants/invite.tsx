import { useState } from 'preact/hooks';
import { useCreate } from '../client/ask.ts';
import { Confirm } from '../client/confirm.tsx';
import { Input } from '../client/field.tsx';
import { SecretDialog } from '../client/secret-dialog.tsx';
import { InviteShop } from '../generated/merchants.ts';
import { words } from '../shared/words.ts';

/** Makes a link that registers one shop, and shows it once. */
export function InviteShopDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [note, setNote] = useState('');
  const [link, setLink] = useState<string | null>(null);
  const { busy, problem, send, clear } = useCreate(InviteShop);
  const close = () => {
    clear();
    onClose();
  };
  const invite = async () => {
    const made = await send({ note: note.trim() || null });
    if (!made?.inviteMerchant) return;
    setLink(`${location.origin}/console/register#${made.inviteMerchant.code}`);
    setNote('');
    close();
  };
  return (
    <>
      <Confirm
        open={open}
        title={words.merchants.invite}
        action={words.merchants.inviteAction}
        busy={busy}
        problem={problem}
        onConfirm={() => void invite()}
        onClose={close}
      >
        <p>{words.merchants.inviteText}</p>
        <Input
          label={words.merchants.inviteNote}
          hint={words.merchants.inviteNoteHint}
          value={note}
          onInput={setNote}
        />
      </Confirm>
      <SecretDialog
        secret={link}
        title={words.merchants.linkTitle}
        text={words.merchants.linkText}
        onClose={() => setLink(null)}
      />
    </>
  );
}
