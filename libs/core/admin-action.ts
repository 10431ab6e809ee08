/** The admin who corrects, and the reason. The trail entries of the correction name both. */
export interface AdminAction {
  readonly adminId: bigint;
  readonly adminEmail: string;
  readonly description: string | null;
}

export const describe = (text: string, action: AdminAction | null): string => {
  if (action === null) return text;
  const reason = action.description === null ? '' : `: ${action.description}`;
  return `${text} by admin ${action.adminId} (${action.adminEmail})${reason}`;
};
