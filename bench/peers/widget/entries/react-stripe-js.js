export { Elements, PaymentElement } from "@stripe/react-stripe-js";
