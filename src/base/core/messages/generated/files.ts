// Made of the files of messages by tools/codegen/messages.ts.
import collect_en from '../collect/en.json' with { type: 'json' };
import collect_de from '../collect/de.json' with { type: 'json' };
import collect_fr from '../collect/fr.json' with { type: 'json' };
import collect_es from '../collect/es.json' with { type: 'json' };
import collect_ar from '../collect/ar.json' with { type: 'json' };
import console_en from '../console/en.json' with { type: 'json' };
import console_de from '../console/de.json' with { type: 'json' };
import consoleAudit_en from '../consoleAudit/en.json' with { type: 'json' };
import consoleAudit_de from '../consoleAudit/de.json' with { type: 'json' };
import consoleManage_en from '../consoleManage/en.json' with { type: 'json' };
import consoleManage_de from '../consoleManage/de.json' with { type: 'json' };
import consoleOperator_en from '../consoleOperator/en.json' with { type: 'json' };
import consoleOperator_de from '../consoleOperator/de.json' with { type: 'json' };
import consolePeople_en from '../consolePeople/en.json' with { type: 'json' };
import consolePeople_de from '../consolePeople/de.json' with { type: 'json' };
import consoleSell_en from '../consoleSell/en.json' with { type: 'json' };
import consoleSell_de from '../consoleSell/de.json' with { type: 'json' };
import consoleStart_en from '../consoleStart/en.json' with { type: 'json' };
import consoleStart_de from '../consoleStart/de.json' with { type: 'json' };
import embed_en from '../embed/en.json' with { type: 'json' };
import embed_de from '../embed/de.json' with { type: 'json' };
import embed_fr from '../embed/fr.json' with { type: 'json' };
import embed_es from '../embed/es.json' with { type: 'json' };
import embed_ar from '../embed/ar.json' with { type: 'json' };
import failures_en from '../failures/en.json' with { type: 'json' };
import failures_de from '../failures/de.json' with { type: 'json' };
import failures_fr from '../failures/fr.json' with { type: 'json' };
import failures_es from '../failures/es.json' with { type: 'json' };
import failures_ar from '../failures/ar.json' with { type: 'json' };
import link_en from '../link/en.json' with { type: 'json' };
import link_de from '../link/de.json' with { type: 'json' };
import link_fr from '../link/fr.json' with { type: 'json' };
import link_es from '../link/es.json' with { type: 'json' };
import link_ar from '../link/ar.json' with { type: 'json' };
import live_en from '../live/en.json' with { type: 'json' };
import live_de from '../live/de.json' with { type: 'json' };
import live_fr from '../live/fr.json' with { type: 'json' };
import live_es from '../live/es.json' with { type: 'json' };
import live_ar from '../live/ar.json' with { type: 'json' };
import mail_en from '../mail/en.json' with { type: 'json' };
import mail_de from '../mail/de.json' with { type: 'json' };
import mail_fr from '../mail/fr.json' with { type: 'json' };
import mail_es from '../mail/es.json' with { type: 'json' };
import mail_ar from '../mail/ar.json' with { type: 'json' };
import order_en from '../order/en.json' with { type: 'json' };
import order_de from '../order/de.json' with { type: 'json' };
import order_fr from '../order/fr.json' with { type: 'json' };
import order_es from '../order/es.json' with { type: 'json' };
import order_ar from '../order/ar.json' with { type: 'json' };
import pages_en from '../pages/en.json' with { type: 'json' };
import pages_de from '../pages/de.json' with { type: 'json' };
import pages_fr from '../pages/fr.json' with { type: 'json' };
import pages_es from '../pages/es.json' with { type: 'json' };
import pages_ar from '../pages/ar.json' with { type: 'json' };
import payment_en from '../payment/en.json' with { type: 'json' };
import payment_de from '../payment/de.json' with { type: 'json' };
import payment_fr from '../payment/fr.json' with { type: 'json' };
import payment_es from '../payment/es.json' with { type: 'json' };
import payment_ar from '../payment/ar.json' with { type: 'json' };
import receipt_en from '../receipt/en.json' with { type: 'json' };
import receipt_de from '../receipt/de.json' with { type: 'json' };
import receipt_fr from '../receipt/fr.json' with { type: 'json' };
import receipt_es from '../receipt/es.json' with { type: 'json' };
import receipt_ar from '../receipt/ar.json' with { type: 'json' };
import sandbox_en from '../sandbox/en.json' with { type: 'json' };
import sandbox_de from '../sandbox/de.json' with { type: 'json' };
import sandbox_fr from '../sandbox/fr.json' with { type: 'json' };
import sandbox_es from '../sandbox/es.json' with { type: 'json' };
import sandbox_ar from '../sandbox/ar.json' with { type: 'json' };
import subscribe_en from '../subscribe/en.json' with { type: 'json' };
import subscribe_de from '../subscribe/de.json' with { type: 'json' };
import subscribe_fr from '../subscribe/fr.json' with { type: 'json' };
import subscribe_es from '../subscribe/es.json' with { type: 'json' };
import subscribe_ar from '../subscribe/ar.json' with { type: 'json' };
import wallet_en from '../wallet/en.json' with { type: 'json' };
import wallet_de from '../wallet/de.json' with { type: 'json' };
import wallet_fr from '../wallet/fr.json' with { type: 'json' };
import wallet_es from '../wallet/es.json' with { type: 'json' };
import wallet_ar from '../wallet/ar.json' with { type: 'json' };

export const FILES = {
  collect: { en: collect_en, de: collect_de, fr: collect_fr, es: collect_es, ar: collect_ar },
  console: { en: console_en, de: console_de },
  consoleAudit: { en: consoleAudit_en, de: consoleAudit_de },
  consoleManage: { en: consoleManage_en, de: consoleManage_de },
  consoleOperator: { en: consoleOperator_en, de: consoleOperator_de },
  consolePeople: { en: consolePeople_en, de: consolePeople_de },
  consoleSell: { en: consoleSell_en, de: consoleSell_de },
  consoleStart: { en: consoleStart_en, de: consoleStart_de },
  embed: { en: embed_en, de: embed_de, fr: embed_fr, es: embed_es, ar: embed_ar },
  failures: { en: failures_en, de: failures_de, fr: failures_fr, es: failures_es, ar: failures_ar },
  link: { en: link_en, de: link_de, fr: link_fr, es: link_es, ar: link_ar },
  live: { en: live_en, de: live_de, fr: live_fr, es: live_es, ar: live_ar },
  mail: { en: mail_en, de: mail_de, fr: mail_fr, es: mail_es, ar: mail_ar },
  order: { en: order_en, de: order_de, fr: order_fr, es: order_es, ar: order_ar },
  pages: { en: pages_en, de: pages_de, fr: pages_fr, es: pages_es, ar: pages_ar },
  payment: { en: payment_en, de: payment_de, fr: payment_fr, es: payment_es, ar: payment_ar },
  receipt: { en: receipt_en, de: receipt_de, fr: receipt_fr, es: receipt_es, ar: receipt_ar },
  sandbox: { en: sandbox_en, de: sandbox_de, fr: sandbox_fr, es: sandbox_es, ar: sandbox_ar },
  subscribe: { en: subscribe_en, de: subscribe_de, fr: subscribe_fr, es: subscribe_es, ar: subscribe_ar },
  wallet: { en: wallet_en, de: wallet_de, fr: wallet_fr, es: wallet_es, ar: wallet_ar },
};
