export {};
export interface WebhookEvent { id: string; type: string; created_at: string; data: unknown }
