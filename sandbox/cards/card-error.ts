import type Stripe from "stripe";

/** The fields of the provider's error object. */
export interface ErrorBody {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  doc_url?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

/** An error response. Operations throw it and the API sends it. */
export class CardsError extends Error {
  readonly status: 400 | 401 | 402 | 403 | 404 | 409;
  readonly body: ErrorBody;

  constructor(status: CardsError["status"], body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body.code
      ? { ...body, doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll("_", "-")}` }
      : body;
  }
}

export function invalidRequest(message: string, param?: string, code?: string): CardsError {
  return new CardsError(400, {
    type: "invalid_request_error",
    message,
    ...(param ? { param } : {}),
    ...(code ? { code } : {}),
  });
}

export function missing(what: string, id: string, param = "id"): CardsError {
  return new CardsError(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${what}: '${id}'`,
    param,
  });
}

export function required(param: string): CardsError {
  return invalidRequest(`Missing required param: ${param}.`, param, "parameter_missing");
}
