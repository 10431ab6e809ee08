export { startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';
