// Pictures on their way to the hall: made smaller where they must be, sent with news of how far they are.
import { Refused } from "../../net/http";
import type { PicturePage } from "../../net/protocol.gen";

const MOST = 2 * 1024 * 1024; // bytes that the hall takes
const SIDE = 1600; // pixels that it keeps
const TAKEN = ["image/jpeg", "image/png", "image/webp"];

/** A picture that the hall takes: the file itself, or what the browser can make of it; an unreadable one stays as it is. */
export async function fitting(file: File): Promise<Blob> {
  if (TAKEN.includes(file.type) && file.size <= MOST) return file;
  let image: ImageBitmap;
  try {
    image = await createImageBitmap(file);
  } catch {
    return file; // the hall says what is wrong with it
  }
  const scale = Math.min(1, SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const paint = canvas.getContext("2d");
  if (!paint) return file;
  paint.fillStyle = "#fff";
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return new Promise((done) => canvas.toBlob((blob) => done(blob ?? file), "image/jpeg", 0.9));
}

/** Send a picture; `onpart` hears how much of it is on its way, 0 to 100. `fetch` cannot tell that. */
export function sendPicture(path: string, data: Blob, onpart: (percent: number) => void): Promise<PicturePage> {
  return new Promise((done, refused) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/v1${path}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = (event) => event.lengthComputable && onpart(Math.round((100 * event.loaded) / event.total));
    request.onerror = () => refused(new Refused("ui.offline", {}, 0));
    request.onload = () => {
      let told = null;
      try {
        told = JSON.parse(request.responseText);
      } catch {
        // Not the hall that spoke.
      }
      if (request.status === 200 && told) done(told as PicturePage);
      else refused(new Refused(told?.error?.code ?? "ui.offline", told?.error?.facts ?? {}, request.status));
    };
    request.send(data);
  });
}
