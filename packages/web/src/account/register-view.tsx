import { useState } from 'preact/hooks';
import { inviteCodeFrom, webPath } from '@hearth/protocol';
import { useInstance } from '../instance/use-instance.ts';
import { ownPath } from '../lib/own-path.ts';
import { AccountCard } from './account-card.tsx';
import { checkEmail, checkFilled, checkNewPassword, checkUsername } from './checks.ts';
import { useDescribing } from './describe-problems.ts';
import { Field, PasswordField, TextArea } from './field.tsx';
import { useProof } from './proof/use-proof.ts';
import type { SignInTyped } from './sign-in-view.tsx';
import { useAccountText } from './use-account-text.ts';
import { Form } from './form.tsx';
import { useForm, type FormState } from './use-form.ts';
import { useIsOwners, useRegistering } from './use-signing-in.ts';
import { typedText } from '../lib/typed-text.ts';

interface RegisterDraft extends SignInTyped {
  readonly email: string;
  readonly invite: string;
  readonly answer: string;
}

interface RegisterProps {
  readonly initial: SignInTyped;
  /** The code of the invite that led here. */
  readonly invite: string | undefined;
  /** The name of the community that it is to, if it is to one. */
  readonly community: string | undefined;
  readonly onTyped: (typed: SignInTyped) => void;
  /** Called when the account is kept, with the path of what it has joined. */
  readonly onDone: (joinedPath: string | undefined) => void;
}

/** Registers an account, as far as the instance accepts new ones. */
export function RegisterView(props: RegisterProps) {
  const { invite, community } = props;
  const { registration, hasMail } = useInstance();
  const { register: words } = useAccountText();
  const [pendingName, setPendingName] = useState<string | undefined>(undefined);
  if (pendingName !== undefined) {
    return (
      <AccountCard title={words.pendingTitle} text={words.pendingText(pendingName)} isFocused>
        {community !== undefined && invite !== undefined && <p>{words.pendingJoin(community)}</p>}
        {hasMail.value !== undefined && (
          <p>{hasMail.value ? words.pendingMail : words.pendingNoMail}</p>
        )}
        <ToLobby />
      </AccountCard>
    );
  }
  if (registration.value === 'closed') {
    return (
      <AccountCard title={words.closedTitle} text={words.closedText} isFocused>
        <ToLobby />
        <ToSignIn onClick={() => {}} />
      </AccountCard>
    );
  }
  return <RegisterForm {...props} onPending={setPendingName} />;
}

interface RegisterFormProps extends RegisterProps {
  readonly onPending: (username: string) => void;
}

function RegisterForm({
  initial,
  invite,
  community,
  onTyped,
  onDone,
  onPending,
}: RegisterFormProps) {
  const { info } = useInstance();
  const { register: words } = useAccountText();
  const emailHint = useEmailHint();
  const { form, isProving } = useRegisterForm({ initial, invite, community, onDone, onPending });
  const { username, password } = form.draft;
  const joins = invite === undefined ? undefined : community;
  const invited = joins === undefined ? words.invited : words.invitedTo(joins);
  const submit = joins === undefined ? words.submit : words.submitJoin;
  const isOwners = useIsOwners(invite);
  const name = info.instance_name;
  const why = isOwners ? words.ownerText(name) : invited;
  return (
    <AccountCard
      title={isOwners ? words.ownerTitle : words.title(name)}
      text={invite === undefined ? undefined : why}
    >
      <Form form={form} action={isProving ? words.working : submit}>
        <Field
          field={form.field('username')}
          label={words.username}
          hint={words.usernameHint}
          autocomplete="username"
          isFirst
        />
        <Field
          field={form.field('email')}
          label={words.email}
          hint={emailHint}
          type="email"
          inputmode="email"
          autocomplete="email"
        />
        <PasswordField
          field={form.field('password')}
          label={words.password}
          hint={words.passwordHint}
          autocomplete="new-password"
        />
        <Admission
          form={form}
          isInvited={invite !== undefined}
          isToCommunity={community !== undefined}
        />
      </Form>
      <div class="account-others">
        <ToSignIn onClick={() => onTyped({ username, password })} />
      </div>
    </AccountCard>
  );
}

/** Returns what the address is for: nothing is promised that the instance cannot send. */
function useEmailHint(): string {
  const { hasMail } = useInstance();
  const { register: words } = useAccountText();
  if (hasMail.value === undefined) return words.emailHintPrivate;
  return `${hasMail.value ? words.emailHint : words.emailHintNoMail} ${words.emailHintPrivate}`;
}

interface AdmissionProps {
  readonly form: FormState<RegisterDraft>;
  /** True if the address has an invite, so that nobody need type one. */
  readonly isInvited: boolean;
  /** True if the invite is to a community: then the account waits for approval all the same. */
  readonly isToCommunity: boolean;
}

/** The fields for what the instance wants to know before it lets somebody in. */
function Admission({ form, isInvited, isToCommunity }: AdmissionProps) {
  const { registration, question } = useInstance();
  const { register: words } = useAccountText();
  const isNeeded = registration.value === 'invite';
  const isApproved = registration.value === 'approval';
  const hasProblem = form.field('invite').problem !== undefined;
  return (
    <>
      {(isNeeded || isApproved) && (!isInvited || hasProblem) && (
        <Field
          field={form.field('invite')}
          label={isNeeded ? words.invite : words.inviteOptional}
          hint={isNeeded ? words.inviteHint : words.inviteOptionalHint}
          autocomplete="off"
        />
      )}
      {isApproved && (!isInvited || isToCommunity) && (
        <>
          {question.value === undefined ? (
            <p class="hint">{words.approval}</p>
          ) : (
            <TextArea
              field={form.field('answer')}
              label={question.value}
              hint={words.approval}
              rows={4}
            />
          )}
        </>
      )}
    </>
  );
}

function useRegisterForm({
  initial,
  invite,
  community,
  onDone,
  onPending,
}: Omit<RegisterFormProps, 'onTyped'>) {
  const { registration, question } = useInstance();
  const register = useRegistering();
  const { prove, isProving } = useProof();
  const describing = useDescribing();
  const words = describing.account.field;
  const isInviteNeeded = registration.value === 'invite';
  const hasQuestion = registration.value === 'approval' && question.value !== undefined;
  // Only an invite to the instance stands for an approval.
  const isAnswerNeeded = (code: string) => hasQuestion && (code === '' || community !== undefined);
  const check = ({ username, email, password, ...other }: RegisterDraft) => ({
    username: checkUsername(username, words),
    email: checkEmail(email, words),
    password: checkNewPassword(password, words),
    invite: isInviteNeeded ? checkFilled(other.invite, words) : undefined,
    answer: isAnswerNeeded(other.invite) ? checkFilled(other.answer, words) : undefined,
  });
  const form = useForm({
    initial: {
      // An address that somebody tried to sign in with is no username.
      username: initial.username.includes('@') ? '' : initial.username,
      email: initial.username.includes('@') ? initial.username : '',
      password: initial.password,
      invite: invite ?? '',
      answer: '',
    },
    check,
    async submit({ username, email, password, ...other }) {
      const registered = await register({
        username: username.trim().toLowerCase(),
        email: email.trim(),
        password,
        invite: inviteCodeFrom(other.invite) || undefined,
        answer: typedText(other.answer) || undefined,
        proof: await prove(),
      });
      if (registered.isPending) onPending(registered.user.username);
      else onDone(registered.joinedPath);
    },
  });
  return { form, isProving };
}

function ToSignIn({ onClick }: { readonly onClick: () => void }) {
  const { register: words } = useAccountText();
  return (
    <p>
      {words.haveAccount}{' '}
      <a href={ownPath(webPath('signIn', {}))} onClick={onClick}>
        {words.signIn}
      </a>
    </p>
  );
}

function ToLobby() {
  const { register: words } = useAccountText();
  return (
    <a class="button button-primary" href={ownPath(webPath('home', {}))}>
      {words.toLobby}
    </a>
  );
}
