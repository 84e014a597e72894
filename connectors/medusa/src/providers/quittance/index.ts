import type {
  AuthorizePaymentInput,
  CancelPaymentInput,
  CapturePaymentInput,
  DeletePaymentInput,
  GetPaymentStatusInput,
  InitiatePaymentInput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RetrievePaymentInput,
  UpdatePaymentInput,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, ModuleProvider, Modules } from '@medusajs/framework/utils';
import { createPayments, optionsFrom, type WebhookPayload } from '../../payments.ts';

/** The payment provider of Medusa. */
class QuittanceProvider extends AbstractPaymentProvider {
  static override identifier = 'quittance';
  readonly #payments = createPayments(optionsFrom(process.env));

  /** Medusa creates it; the constructor of its class is protected. */
  public constructor(container: Record<string, unknown>, config?: Record<string, unknown>) {
    super(container, config);
  }

  async initiatePayment(input: InitiatePaymentInput) {
    return this.#payments.initiatePayment(input);
  }
  async updatePayment(input: UpdatePaymentInput) {
    return this.#payments.updatePayment(input);
  }
  async deletePayment(input: DeletePaymentInput) {
    return this.#payments.deletePayment(input);
  }
  async authorizePayment(input: AuthorizePaymentInput) {
    return this.#payments.authorizePayment(input);
  }
  async getPaymentStatus(input: GetPaymentStatusInput) {
    return this.#payments.getPaymentStatus(input);
  }
  async retrievePayment(input: RetrievePaymentInput) {
    return this.#payments.retrievePayment(input);
  }
  async capturePayment(input: CapturePaymentInput) {
    return this.#payments.capturePayment(input);
  }
  async cancelPayment(input: CancelPaymentInput) {
    return this.#payments.cancelPayment(input);
  }
  async refundPayment(input: RefundPaymentInput) {
    return this.#payments.refundPayment(input);
  }
  async getWebhookActionAndData(payload: ProviderWebhookPayload['payload']) {
    return this.#payments.getWebhookActionAndData(payload as WebhookPayload);
  }
}

export default ModuleProvider(Modules.PAYMENT, { services: [QuittanceProvider] });
