import { useRef, useState } from 'preact/hooks';
import type { OwnUser } from '@hearth/protocol/schemas';
import { useInstance } from '../../instance/use-instance.ts';
import { useFormats } from '../../text/use-text.ts';
import { Avatar } from '../avatar.tsx';
import { describeProblems, useDescribing } from '../describe-problems.ts';
import type { OwnAccount } from '../own-account.ts';
import { useAccountText } from '../use-account-text.ts';
import { CropDialog } from './crop-dialog.tsx';

interface PictureProps {
  readonly own: OwnAccount;
  readonly user: OwnUser;
}

/** The reader's picture: it can be chosen, fitted and removed, each of which is saved at once. */
export function PictureField({ own, user }: PictureProps) {
  const { info } = useInstance();
  const { profile: words } = useAccountText();
  const formats = useFormats();
  const input = useRef<HTMLInputElement>(null);
  const { chosen, problem, isBusy, choose, leave, save } = usePicture(own);
  const { avatar, username } = user;
  return (
    <div class="picture-field" aria-busy={isBusy}>
      <Avatar name={username} picture={avatar} size={96} />
      <div>
        <p class="field-label">{words.picture}</p>
        <div class="form-end">
          <button type="button" class="button" onClick={() => input.current?.click()}>
            {avatar === undefined ? words.choosePicture : words.changePicture}
          </button>
          {avatar !== undefined && (
            <button type="button" class="button button-plain" onClick={() => void save(undefined)}>
              {words.removePicture}
            </button>
          )}
        </div>
        <p class="problem" role="alert">
          {problem}
        </p>
        <p class="hint">{words.pictureHint(formats.size(info.attachment_file_size))}</p>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          hidden
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = '';
            if (file !== undefined) void choose(file);
          }}
        />
      </div>
      {chosen !== undefined && (
        <CropDialog picture={chosen} onCropped={(picture) => void save(picture)} onClose={leave} />
      )}
    </div>
  );
}

function usePicture(own: OwnAccount) {
  const describing = useDescribing();
  const [chosen, setChosen] = useState<ImageBitmap | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const choose = async (file: File) => {
    setProblem(undefined);
    try {
      setChosen(await createImageBitmap(file));
    } catch {
      setProblem(describing.account.profile.pictureProblem);
    }
  };
  const save = async (picture: Blob | undefined) => {
    setChosen(undefined);
    setIsBusy(true);
    setProblem(undefined);
    try {
      if (picture === undefined) await own.change({ avatar: null });
      else await own.changePicture(picture);
    } catch (error) {
      setProblem(describeProblems(error, [], describing).form);
    } finally {
      setIsBusy(false);
    }
  };
  return { chosen, problem, isBusy, choose, save, leave: () => setChosen(undefined) };
}
