import { createDrawer, focusOn, localTimes } from '../../client/draw.ts';
import { createMovingList } from '../../client/moving-list.ts';
import { part } from '../../client/page.ts';
import { toMarkup } from '../../html.ts';
import { type LiveReceipt, renderReceipt } from '../receipt.ts';
import { renderSignIn, renderWho, SIGNED_OUT, type SignInModel, stageWords } from '../stage.ts';

/** The state of the open page, and its drawing. */
export interface DeskPage {
  readonly model: SignInModel;
  /** Changes the state of the sign-in and draws the page. */
  draw(change: Partial<SignInModel>): void;
  /** Shows the receipts. */
  show(receipts: readonly LiveReceipt[]): void;
}

/** Creates the state of a page without a session. */
export function createPage(page: HTMLElement): DeskPage {
  const drawDoor = createDrawer(part('stage'));
  const drawList = createMovingList(part('receipts'), localTimes);
  let model: SignInModel = SIGNED_OUT;

  return {
    get model() {
      return model;
    },
    draw(change) {
      model = { ...model, ...change };
      const inside = model.stage === 'inside';
      const hadFocus = page.contains(document.activeElement);
      drawDoor({ stage: model.stage, markup: renderSignIn(model), announcement: stageWords(model) });
      part('who').innerHTML = toMarkup(renderWho(model));
      part('door').hidden = inside;
      part('roll').hidden = !inside;
      if (hadFocus && !page.contains(document.activeElement)) focusOn(part(inside ? 'title' : 'stage-title'));
    },
    show(receipts) {
      drawList(
        receipts.map((receipt) => ({
          key: receipt.receiptId,
          markup: renderReceipt(receipt),
          said: `${receipt.status} ${receipt.tracking}`,
        })),
      );
      part('none').hidden = receipts.length > 0;
    },
  };
}
