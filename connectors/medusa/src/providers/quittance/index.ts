import type { IPaymentProvider } from '@medusajs/framework/types';
import { AbstractPaymentProvider, ModuleProvider, Modules } from '@medusajs/framework/utils';
import { createPayments, openConnect, type Webhook } from '../../payments.ts';

/** The services of Medusa's payment module, as far as its providers need them. */
interface Module {
  readonly paymentSessionService: {
    list(filters: object): Promise<{ readonly payment_collection_id: string; readonly data: Data | null }[]>;
  };
  readonly paymentCollectionService: {
    retrieve(id: string): Promise<{ readonly metadata?: Data | null }>;
    update(changed: object): Promise<unknown>;
  };
}
type Data = Readonly<Record<string, unknown>>;
type Functions = Omit<IPaymentProvider, 'getIdentifier'>;

/** Where the payment that a cart had last is kept: Medusa deletes a session when its cart changes. */
const LAST = 'quittance_receipt';

function createFunctions(module: Module) {
  const payments = createPayments(openConnect());
  const sessions = (filters: object) => module.paymentSessionService.list(filters);
  const collectionOf = async (sessionId: unknown): Promise<string | undefined> =>
    (await sessions({ id: sessionId }))[0]?.payment_collection_id;

  /** The payment of the cart's session before. Medusa deletes it before this one is made, or meanwhile. */
  async function paymentBefore(sessionId: unknown): Promise<string | undefined> {
    const id = await collectionOf(sessionId);
    if (id === undefined) return undefined;
    const open = (await sessions({ payment_collection_id: id })).map(({ data }) => data?.receipt_id);
    const before =
      open.find((receipt) => receipt) ?? (await module.paymentCollectionService.retrieve(id)).metadata?.[LAST];
    return before as string | undefined;
  }

  return {
    ...payments,
    initiatePayment: async (input) => payments.initiatePayment(input, await paymentBefore(input.data?.session_id)),
    async deletePayment(input) {
      const answer = await payments.deletePayment(input);
      const id = input.data?.receipt_id && (await collectionOf(input.data.session_id));
      if (!id) return answer;
      const collections = module.paymentCollectionService;
      const { metadata } = await collections.retrieve(id as string);
      await collections.update({ id, metadata: { ...metadata, [LAST]: input.data?.receipt_id } });
      return answer;
    },
    getWebhookActionAndData: async (payload) => payments.getWebhookActionAndData(payload as Webhook),
  } satisfies Functions;
}

/** The payment provider of Medusa. Its functions are made for each. */
const Provider = AbstractPaymentProvider as unknown as new (module: Module, config?: Data) => object;

class QuittanceProvider extends Provider {
  static readonly identifier = 'quittance';

  constructor(module: Module, config?: Data) {
    super(module, config);
    Object.assign(this, createFunctions(module));
  }
}

export default ModuleProvider(Modules.PAYMENT, { services: [QuittanceProvider] });
