// Made of the files of messages by tools/codegen/messages.ts.
export const WORDS = {
  en: { pay: 'Pay', payment: 'Payment', close: 'Close' },
  de: { pay: 'Bezahlen', payment: 'Zahlung', close: 'Schließen' },
  fr: { pay: 'Payer', payment: 'Paiement', close: 'Fermer' },
  es: { pay: 'Pagar', payment: 'Pago', close: 'Cerrar' },
  ar: { pay: 'ادفع', payment: 'الدفع', close: 'إغلاق' },
};
