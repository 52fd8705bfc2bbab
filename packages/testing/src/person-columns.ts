/** Columns of identifiers that are never an account's, by their names, or by those of their tables, too. */
const NO_PERSON_IDS = words(`
  accepted_comment_id avatar banner category_id channel_id community_id crosspost_of entry_id file_id first_id
  from_channel_id from_message_id icon id last_id last_read_id message_id newest_comment_id parent_id picture_id post_id reply_to
  result_id role_id tag_id
  link_preview_uses.subject_id point_ledger.subject_id votes.subject_id
`);

/**
 * Columns of texts in which nothing refers to an account. What people write may do so, with an identifier of their own
 * choosing: nobody reads it as one.
 */
const NO_PERSON_TEXTS = words(`
  answer bio colour content description display_name email email_key emoji languages name new_secret nickname nonce note
  pending_email pronouns reason rules settings site_name skeleton slug title topic url username
  address_hint blob_key bucket challenge client_name client_platform clients code code_hash content_type former_hash format
  join_mode kind leased_by level metadata password_hash path period place placeholder purpose secret secret_hash sha256 sort
  source_key state target_kind url_hash value visibility word
  hits
  files options post_settings reactions role_ids tags
  audit_entries.action audit_entries.changes audit_entries.target_name ban_requests.key bans.key exports.key
  invite_makers.registered_at jobs.error
  page_files.build post_orders.key post_orders.list post_orders.posts post_period_lists.posts registration_blocks.key
  token_keys.keys uploads.key
`);

/**
 * Returns whether a column may name an account, by its identifier. A new column does unless its name is in one of the lists:
 * then its table says in `people` what happens to its rows when the account is deleted.
 */
export function mayNamePerson(table: string, column: string, kind: string): boolean {
  if (`${table}.${column}` === 'users.id') return true;
  if (kind !== 'id' && kind !== 'text') return false;
  const others = kind === 'id' ? NO_PERSON_IDS : NO_PERSON_TEXTS;
  return !others.has(column) && !others.has(`${table}.${column}`);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
