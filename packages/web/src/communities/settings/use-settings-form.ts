import { useForm, type FormOptions, type FormState } from '../../account/use-form.ts';
import { useFormats } from '../../text/use-text.ts';
import { describeFailure } from '../describe-failure.ts';
import { useCommunityText } from '../use-community-text.ts';
import { useSettingsText } from './use-settings-text.ts';

/** A form that says in the words of communities what a community forbids. */
export function useSettingsForm<Draft extends object>(
  options: Omit<FormOptions<Draft>, 'describe'>,
): FormState<Draft> {
  const { permissions } = useSettingsText();
  const { errors: words } = useCommunityText();
  const formats = useFormats();
  return useForm<Draft>({
    ...options,
    describe(error) {
      const form = describeFailure(error, { words, formats, permissions: permissions.names });
      return form === undefined ? undefined : { form };
    },
  });
}
